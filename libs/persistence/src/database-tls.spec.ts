import { afterAll, beforeAll, expect, it } from 'vitest';
import { CertificateAuthority, eventually, findPrograms } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { requestCancel } from './cancel-request.ts';
import { ContextDataSource, dataSourceOptions } from './context-data-source.ts';
import { itemsSchema } from './items.fixture.ts';

describeWith(findPrograms('openssl'), 'the connection of an app to PostgreSQL over TLS', () => {
  let authority: CertificateAuthority;
  let other: CertificateAuthority;
  let server: Server;
  /** What the server is sent inside of TLS. */
  const received: Buffer[] = [];

  beforeAll(async () => {
    [authority, other] = [await CertificateAuthority.create(), await CertificateAuthority.create()];
    const files = await authority.issue('postgres');
    const [cert, key] = await Promise.all([readFile(files.certificate), readFile(files.key)]);
    // PostgreSQL manual, SSL Session Encryption: the client asks, and the server agrees with S.
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('S');
        new TLSSocket(socket, { isServer: true, cert, key })
          .on('error', () => undefined)
          .on('data', (bytes: Buffer) => {
            received.push(bytes);
            socket.destroy();
          });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await Promise.all([authority.dispose(), other.dispose()]);
  });

  const connectTo = (host: string, { file }: CertificateAuthority) => {
    const { port } = server.address() as AddressInfo;
    const tls = `sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
    const url = `postgres://user:secret@${host}:${port}/registrar?${tls}`;
    return new ContextDataSource(dataSourceOptions(itemsSchema, url)).initialize();
  };

  it('sends nothing to a server whose certificate another authority has issued', async () => {
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    await expect(connectTo('localhost', other)).rejects.toMatchObject({ code });
    expect(received).toEqual([]);
  });

  it('sends nothing to a server whose certificate is for another host', async () => {
    const code = 'ERR_TLS_CERT_ALTNAME_INVALID';
    await expect(connectTo('127.0.0.1', authority)).rejects.toMatchObject({ code });
    expect(received).toEqual([]);
  });

  it('sends its name to a server that the authority has certified', async () => {
    await expect(connectTo('localhost', authority)).rejects.toThrow();
    expect(Buffer.concat(received).toString()).toContain('user');
  });

  it('asks to cancel a statement inside of TLS', async () => {
    received.length = 0;
    const { port } = server.address() as AddressInfo;
    const ssl = { ca: await readFile(authority.file) };
    const client = new pg.Client({ host: 'localhost', port, ssl });
    Object.assign(client, { processID: 1, secretKey: 2 });
    requestCancel(client);
    await eventually('the request arrives', () => received.length === 1);
    // PostgreSQL manual, Message Formats: CancelRequest
    const message = [16, 80877102, 1, 2].map((n) => n.toString(16).padStart(8, '0'));
    expect(received[0]?.toString('hex')).toBe(message.join(''));
  });
});
