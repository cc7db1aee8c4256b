import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  CertificateAuthority,
  eventually,
  findPrograms,
  type ServerCertificate,
  testLogger,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TlsOptions } from 'node:tls';
import { RabbitMqConnection } from './connection.ts';

describeWith(findPrograms('openssl'), 'the connection of an app to RabbitMQ over TLS', () => {
  let authority: CertificateAuthority;
  let other: CertificateAuthority;
  let certificate: ServerCertificate;
  let received: Buffer[] = [];
  beforeAll(async () => {
    [authority, other] = [await CertificateAuthority.create(), await CertificateAuthority.create()];
    certificate = await authority.issue('broker');
  });
  afterAll(() => Promise.all([authority.dispose(), other.dispose()]));
  beforeEach(() => {
    received = [];
  });

  /** Starts a server that presents the certificate and records what it is sent. */
  async function startServer(options: TlsOptions = {}): Promise<Server> {
    const [cert, key] = await Promise.all([
      readFile(certificate.certificate),
      readFile(certificate.key),
    ]);
    const server = createServer({ cert, key, ...options }, (socket) =>
      socket
        .on('error', () => undefined)
        .on('data', (bytes: Buffer) => {
          received.push(bytes);
          socket.destroy();
        }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  /** Returns the reason for which the first attempt to connect fails. */
  async function refusal(server: Server, host: string, { file }: CertificateAuthority) {
    const log = testLogger('bus');
    const { port } = server.address() as AddressInfo;
    const url = `amqps://user:secret@${host}:${port}?cacertfile=${encodeURIComponent(file)}`;
    const connection = new RabbitMqConnection(url, 'catalog', 'registrar', log.logger);
    const opening = connection.open();
    try {
      const line = await eventually('the app reports why it cannot connect', () =>
        log.lines().find(({ msg }) => msg === 'RabbitMQ cannot be reached'),
      );
      return String(line['reason']);
    } finally {
      await connection.close();
      await opening;
      server.close();
    }
  }

  it('sends nothing to a broker whose certificate another authority has issued', async () => {
    const reason = await refusal(await startServer(), 'localhost', other);
    expect(reason).toContain('unable to verify the first certificate');
    expect(received).toEqual([]);
  });

  it('sends nothing to a broker whose certificate is for another host', async () => {
    const reason = await refusal(await startServer(), '127.0.0.1', authority);
    expect(reason).toContain('does not match certificate');
    expect(received).toEqual([]);
  });

  it('refuses TLS 1.1', async () => {
    const old = {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    const reason = await refusal(await startServer(old), 'localhost', authority);
    expect(reason).toMatch(/protocol/);
    expect(received).toEqual([]);
  });

  it('accepts the broker that the authority has certified', async () => {
    const { logger } = testLogger('bus');
    const server = await startServer();
    const { port } = server.address() as AddressInfo;
    const file = encodeURIComponent(authority.file);
    const url = `amqps://user:secret@localhost:${port}?cacertfile=${file}`;
    const connection = new RabbitMqConnection(url, 'catalog', 'registrar', logger);
    const opening = connection.open();
    await eventually('the app begins to speak AMQP', () =>
      Buffer.concat(received).includes('AMQP'),
    );
    server.close();
    await connection.close();
    await opening;
  });
});
