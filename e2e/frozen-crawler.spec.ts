import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BusApp, rabbitMqTransport } from '#libs/bus';
import { listProviderApplications, providerCredentials } from '#libs/contracts';
import { generateMasterKey, providerSecretPurpose, Sealing } from '#libs/platform';
import {
  answer,
  brokerForTests,
  createTestDatabase,
  deleteNamespace,
  SimulatedProvider,
  startStandIn,
  SupervisedProcess,
  type TestDatabase,
  testLogger,
} from '#libs/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const entry = fileURLToPath(new URL('../dist/apps/crawler/src/main.js', import.meta.url));
const broker = await brokerForTests();

describe('a crawler that freezes in the midst of a crawl', () => {
  if (!broker) {
    it('is left out where no RabbitMQ answers', () => expect(broker).toBeNull());
    return;
  }
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  let directory: string;
  let server: TestDatabase;
  let database: pg.Client;
  let provider: SimulatedProvider;
  let identity: BusApp;
  const replicas: SupervisedProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'registrar-frozen-'));
    await writeFile(join(directory, 'master.key'), generateMasterKey());
    server = await createTestDatabase();
    database = new pg.Client({ connectionString: server.url });
    await database.connect();
    provider = await SimulatedProvider.start();
    const { appId, secretKey } = account();
    const sealing = Sealing.fromKeyFile(join(directory, 'master.key'));
    const { logger } = testLogger('identity');
    const transport = rabbitMqTransport({ url: broker, namespace, logger });
    const credentials = { applicationId: 1, realmId: 7, baseUrl: provider.url, appId };
    const sealedSecretKey = sealing.seal(secretKey, providerSecretPurpose(appId));
    identity = await startStandIn(
      'identity',
      [
        answer(listProviderApplications, async () => ({ applications: [{ id: 1, realmId: 7 }] })),
        answer(providerCredentials, async () => ({ ...credentials, sealedSecretKey })),
      ],
      { transport, logger },
    );
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await identity?.stop();
    await provider?.stop();
    await database?.end();
    await server?.drop();
    await deleteNamespace(broker, namespace);
    await rm(directory, { recursive: true, force: true });
  });

  function account() {
    const made = provider.addAccount('app-1');
    made.addCourse('swimming');
    made.addRegistration('r1', 'swimming');
    return made;
  }
  const start = async (name: string): Promise<void> => {
    const environment = {
      DATABASE_URL: server.url,
      AMQP_URL: broker,
      BUS_NAMESPACE: namespace,
      MASTER_KEY_FILE: join(directory, 'master.key'),
      // One crawl at a time, and each once: what is frozen waits for the provider and nothing else.
      CRAWL_CONCURRENCY: '1',
      CRAWL_INTERVAL_SECONDS: '3600',
    };
    const logFile = join(directory, `${name}.log`);
    replicas.push(await SupervisedProcess.start(name, { entry, environment, logFile }));
  };
  const until = async (check: () => Promise<boolean>) => {
    while (!(await check())) await pause(50);
  };
  const isTrue = async (condition: string): Promise<boolean> => {
    const { rows } = await database.query<{ holds: boolean }>(`SELECT ${condition} AS holds`);
    return rows[0]?.holds === true;
  };
  /** Everything that a crawl leaves behind. Nobody takes its events. */
  const written = async () => {
    const rows = async (sql: string) => (await database.query(sql)).rows as unknown[];
    return {
      history: await rows('SELECT * FROM crawler.crawl_history ORDER BY id'),
      due: await rows('SELECT * FROM crawler.due_crawls ORDER BY kind'),
      applications: await rows('SELECT * FROM crawler.applications ORDER BY id'),
      events: await rows('SELECT id, name, payload FROM crawler.outbox ORDER BY id'),
    };
  };

  it('writes nothing when it wakes up after its lease has ended', async () => {
    const answered = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<void>();
    provider.intercept = () => {
      asked.resolve();
      return answered.promise;
    };
    await start('frozen');
    await asked.promise;
    replicas[0]?.freeze();
    provider.intercept = () => undefined;
    // The answer waits for the frozen process in its socket.
    answered.resolve(undefined);

    await until(() =>
      isTrue('(SELECT lease_until < clock_timestamp() FROM crawler.applications WHERE id = 1)'),
    );
    await start('other');
    await until(() =>
      isTrue(`NOT EXISTS (SELECT FROM crawler.due_crawls WHERE due_at <= now())
        AND (SELECT lease_until < clock_timestamp() FROM crawler.applications WHERE id = 1)`),
    );
    const before = await written();

    replicas[0]?.thaw();
    const log = join(directory, 'frozen.log');
    await until(async () => (await readFile(log, 'utf8')).includes('could not be noted'));
    expect(await readFile(log, 'utf8')).toContain('the lease has ended');
    expect(await written()).toEqual(before);
  }, 120_000);
});
