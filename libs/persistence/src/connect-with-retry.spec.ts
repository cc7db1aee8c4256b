import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { connectWithRetry } from './connect-with-retry.ts';

describe('the first connection to PostgreSQL', () => {
  let database: TestDatabase;
  let address: URL;
  let proxy: Server;
  let connections = 0;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    address = new URL(database.url);
    // Closes the first two connections.
    proxy = createServer((client: Socket) => {
      connections += 1;
      if (connections <= 2) {
        client.destroy();
        return;
      }
      const upstream = connect(Number(address.port), address.hostname);
      // Either end may reset the connection when the client ends it.
      pipeline(client, upstream, client).catch(() => undefined);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(async () => {
    proxy.close();
    await database.drop();
  });

  const connectTo = async (url: URL) => {
    const client = await connectWithRetry({ connectionString: url.href });
    await client.end();
  };

  it('the first connection to PostgreSQL is retried while the server is unreachable', async () => {
    const proxied = new URL(address);
    proxied.port = String((proxy.address() as AddressInfo).port);
    await connectTo(proxied);
    expect(connections).toBe(3);
  });

  it('fails at once by an error of the program', async () => {
    await expect(connectWithRetry({ host: '127.0.0.1', port: 70_000 })).rejects.toMatchObject({
      name: 'RangeError',
    });
  });

  it('fails at once if the server rejects it', async () => {
    const wrong = new URL(address);
    wrong.pathname = '/no-such-database';
    await expect(connectTo(wrong)).rejects.toThrow('database "no-such-database" does not exist');
  });
});
