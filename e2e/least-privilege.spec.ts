import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  canStartBroker,
  chromiumForTests,
  createTestDatabase,
  OwnBroker,
  type StartedSystem,
  startDistributedSystem,
  type TestDatabase,
} from '#libs/testing';
import { brokerUsers, permissionDefinitions, Topology } from '#libs/bus';
import { type Context } from '#libs/contracts';
import { roleStatements } from '#libs/persistence';
import { type ConfirmChannel, connect } from 'amqplib';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { crawlingOften } from './describe-system.ts';
import { describeMainJob } from './main-job.ts';

const chromium = chromiumForTests();
const contexts: readonly Context[] = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

/** The main job where every app has a role and a user of its own, which may do what it must. */
describe('with least privilege, the distributed system', () => {
  if (!canStartBroker() || !chromium) {
    it('is left out where there is no RabbitMQ or no Chromium', () => undefined);
    return;
  }
  const prefix = `test-${randomBytes(6).toString('hex')}-`;
  const namespace = prefix.slice(0, -1);
  const password = randomBytes(12).toString('hex');
  let broker: OwnBroker;
  let database: TestDatabase;
  let directory: string;
  let system: StartedSystem;

  const as = (address: string, user: string): string => {
    const url = new URL(address);
    url.username = `${prefix}${user}`;
    url.password = password;
    return url.href;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-definitions-'));
    [broker, database] = await Promise.all([OwnBroker.start(), createTestDatabase()]);
    const definitions = join(directory, 'definitions.json');
    const users = brokerUsers.map((user) => ({ name: `${prefix}${user}`, password, tags: '' }));
    const allowed = permissionDefinitions(namespace, '/', prefix);
    await writeFile(definitions, JSON.stringify({ users, ...allowed }));
    await broker.control('import_definitions', definitions);
    await onDatabase(database.url, async (client) => {
      // Twice: the second run finds everything there.
      await client.query(roleStatements(prefix) + roleStatements(prefix));
      for (const context of contexts) {
        await client.query(`ALTER ROLE "${prefix}${context}" PASSWORD '${password}'`);
      }
    });
    const own = [
      ...contexts.map((app) => [`${app.toUpperCase()}_DATABASE_URL`, as(database.url, app)]),
      ...brokerUsers.map((app) => [`${app.toUpperCase()}_AMQP_URL`, as(broker.url, app)]),
    ];
    system = await startDistributedSystem(broker.url, {
      ...crawlingOften,
      ...(Object.fromEntries(own) as Record<string, string>),
      // What is for all, nobody can use.
      DATABASE_URL: as(database.url, 'nobody'),
      AMQP_URL: as(broker.url, 'nobody'),
      BUS_NAMESPACE: namespace,
    });
  }, 120_000);
  afterAll(async () => {
    await system?.dispose();
    await broker?.dispose();
    await onDatabase(database.url, async (client) => {
      for (const context of contexts) {
        await client.query(`DROP OWNED BY "${prefix}${context}" CASCADE`);
        await client.query(`DROP ROLE "${prefix}${context}"`);
      }
    });
    await database.drop();
    await rm(directory, { recursive: true });
  }, 60_000);

  describeMainJob(() => system, chromium);

  it('keeps every context out of the others’ tables', async () => {
    for (const context of contexts) {
      for (const other of contexts.filter((each) => each !== context)) {
        const look = onDatabase(as(database.url, context), (client) =>
          client.query(`SELECT FROM ${other}.outbox`),
        );
        await expect(look).rejects.toThrow(`permission denied for schema ${other}`);
      }
    }
  });

  const topology = new Topology(namespace);
  it.each<[string, string, (channel: ConfirmChannel) => Promise<unknown>]>([
    [
      'gateway',
      "take another's requests",
      (channel) => channel.consume(topology.requestQueue('identity'), () => undefined),
    ],
    [
      'catalog',
      "take another's requests",
      (channel) => channel.consume(topology.requestQueue('identity'), () => undefined),
    ],
    [
      'catalog',
      "have a copy of another's requests",
      (channel) =>
        channel.bindQueue(topology.requestQueue('catalog'), topology.requests, 'identity'),
    ],
    [
      'crawler',
      "have a copy of another's events",
      (channel) =>
        channel.bindQueue(
          topology.eventQueue('crawler'),
          topology.events,
          topology.eventKey('catalog.course-changed', 'enrolment'),
        ),
    ],
    [
      'identity',
      "declare another's queue",
      (channel) => channel.assertQueue(topology.eventQueue('enrolment'), { durable: true }),
    ],
    [
      'gateway',
      'publish an event',
      async (channel) => {
        channel.publish(topology.events, 'identity.access-changed', Buffer.from('{}'));
        await channel.waitForConfirms();
      },
    ],
    [
      'provider',
      'ask identity',
      async (channel) => {
        channel.publish(topology.requests, 'identity', Buffer.from('[]'));
        await channel.waitForConfirms();
      },
    ],
  ])('does not let %s %s', async (user, _what, attempt) => {
    const connection = await connect(as(broker.url, user));
    const channel = await connection.createConfirmChannel();
    const refused = new Promise<Error>((resolve) => channel.once('error', resolve));
    await Promise.allSettled([attempt(channel)]);
    expect((await refused).message).toMatch(/ACCESS_REFUSED|403/);
    await connection.close();
  });
});

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
