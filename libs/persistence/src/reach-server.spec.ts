import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { reachServer } from './reach-server.ts';

describe('the database of an app that starts', () => {
  let database: TestDatabase;
  let address: URL;
  let front: Server;
  let arrived = 0;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
    address = new URL(database.url);
    // A server that is not ready for the first two connections.
    front = createServer((client: Socket) => {
      arrived += 1;
      if (arrived <= 2) client.destroy();
      else client.pipe(connect(Number(address.port), address.hostname)).pipe(client);
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  afterAll(async () => {
    front.close();
    await database.drop();
  });

  const reach = async (url: URL) => {
    const client = await reachServer({ connectionString: url.href });
    await client.end();
  };

  it('is waited for', async () => {
    const starting = new URL(address);
    starting.port = String((front.address() as AddressInfo).port);
    await reach(starting);
    expect(arrived).toBe(3);
  });

  it('is not waited for when it refuses', async () => {
    const wrong = new URL(address);
    wrong.pathname = '/no-such-database';
    await expect(reach(wrong)).rejects.toThrow('database "no-such-database" does not exist');
  });
});
