import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AppAccounts,
  createAppAccounts,
  dropAppRoles,
  type StartedSystem,
  startDistributedSystem,
} from '@registrar/standalone/testing';
import {
  both,
  createTestDatabase,
  DedicatedBroker,
  findBrokerInstallation,
  findChromium,
  type TestDatabase,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { Topology } from '@registrar/bus';
import { type BusApp, type Context, issueApiKey } from '@registrar/contracts';
import { type ConfirmChannel, connect } from 'amqplib';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describeConsoleCalls } from './console-calls.ts';
import { frequentCrawls } from './describe-system.ts';
import { describeLearnerJourney } from './learner-journey.ts';

const services = both(findBrokerInstallation(), findChromium());
const contexts: readonly Context[] = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

/** Runs the learner journey with a PostgreSQL role and a RabbitMQ user for each app that have only the required privileges. */
describeWith(services, 'the distributed system with least privilege', ([, chromium]) => {
  const prefix = `test-${randomBytes(6).toString('hex')}-`;
  const namespace = prefix.slice(0, -1);
  let broker: DedicatedBroker;
  let database: TestDatabase;
  let accounts: AppAccounts;
  let system: StartedSystem;

  beforeAll(async () => {
    [broker, database] = await Promise.all([DedicatedBroker.start(), createTestDatabase()]);
    accounts = await createAppAccounts(broker, database.url, { namespace, prefix });
    system = await startDistributedSystem(broker.url, {
      ...frequentCrawls,
      ...accounts.settings,
      BUS_NAMESPACE: namespace,
    });
  });
  afterAll(async () => {
    await system?.dispose();
    await broker?.dispose();
    await dropAppRoles(database.url, prefix);
    await database.drop();
  });

  describeLearnerJourney(() => system, chromium);
  describeConsoleCalls(() => system);

  it('denies every context access to the schemas of other contexts', async () => {
    for (const context of contexts) {
      for (const other of contexts.filter((each) => each !== context)) {
        const read = onDatabase(accounts.databaseUrl(context), (client) =>
          client.query(`SELECT FROM ${other}.outbox`),
        );
        await expect(read).rejects.toThrow(`permission denied for schema ${other}`);
      }
    }
  });

  const topology = new Topology(namespace);

  it('gives no API key to a request that the user of provider publishes through the default exchange', async () => {
    const connection = await connect(accounts.amqpUrl('provider'));
    const channel = await connection.createConfirmChannel();
    const replies: string[] = [];
    const firstReply = new Promise<void>((resolve) => {
      void channel.consume(
        'amq.rabbitmq.reply-to',
        (message) => {
          replies.push(String(message?.content));
          resolve();
        },
        { noAck: true },
      );
    });
    const request = {
      id: 1,
      name: issueApiKey.name,
      deadline: Date.now() + 10_000,
      sentAt: Date.now(),
      requestId: 'attack',
      idempotencyKey: 'attack',
      input: { realmGuid: system.quickstart.realm_guid, userEmail: null, applicationId: null },
    };
    const content = Buffer.from(JSON.stringify([request]));
    const replyTo = 'amq.rabbitmq.reply-to';
    for (const queue of ['operator', 'requests'] as const) {
      const name = topology.requestQueue('identity', queue);
      channel.sendToQueue(name, content, { replyTo });
      channel.sendToQueue(name, content, {
        replyTo,
        userId: `${prefix}provider`,
        appId: 'operator',
      });
    }
    await channel.waitForConfirms();
    // Only the request with its account, among those of apps, is answered.
    await firstReply;
    await connection.close();
    expect(replies.map((reply) => JSON.parse(reply) as unknown)).toEqual([
      [
        {
          id: 1,
          failure: { code: 'internal', message: `provider is not a caller of ${issueApiKey.name}` },
        },
      ],
    ]);
  });

  it.each<[BusApp, string, (channel: ConfirmChannel) => Promise<unknown>]>([
    [
      'gateway',
      'consume requests of another context',
      (channel) => channel.consume(topology.requestQueue('identity'), () => undefined),
    ],
    [
      'catalog',
      'consume requests of another context',
      (channel) => channel.consume(topology.requestQueue('identity'), () => undefined),
    ],
    [
      'catalog',
      'bind its queue to requests of another context',
      (channel) =>
        channel.bindQueue(topology.requestQueue('catalog'), topology.requests, 'identity'),
    ],
    [
      'crawler',
      'bind its queue to events for another context',
      (channel) =>
        channel.bindQueue(
          topology.eventQueue('crawler'),
          topology.events,
          topology.eventKey('catalog.course-changed', 'enrolment'),
        ),
    ],
    [
      'identity',
      'declare the queue of another context',
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
      'send requests as the operator',
      async (channel) => {
        channel.publish(topology.operator, 'identity', Buffer.from('[]'));
        await channel.waitForConfirms();
      },
    ],
    [
      'operator',
      'send requests as an app',
      async (channel) => {
        channel.publish(topology.requests, 'identity', Buffer.from('[]'));
        await channel.waitForConfirms();
      },
    ],
    [
      'provider',
      'send requests to identity',
      async (channel) => {
        channel.publish(topology.requests, 'identity', Buffer.from('[]'));
        await channel.waitForConfirms();
      },
    ],
  ])('RabbitMQ does not permit %s to %s', async (user, _what, attempt) => {
    const connection = await connect(accounts.amqpUrl(user));
    const channel = await connection.createConfirmChannel();
    const channelError = new Promise<Error>((resolve) => channel.once('error', resolve));
    await Promise.allSettled([attempt(channel)]);
    expect((await channelError).message).toMatch(/ACCESS_REFUSED|403/);
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
