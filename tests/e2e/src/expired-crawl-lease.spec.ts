import { afterAll, beforeAll, expect, it } from 'vitest';
import { rabbitMqTransport } from '@registrar/bus';
import { listProviderApplications, findProviderCredentials } from '@registrar/contracts';
import {
  generateMasterKey,
  providerSecretPurpose,
  Sealing,
  postbackSecretPurpose,
} from '@registrar/platform';
import {
  stubReply,
  deleteNamespace,
  startStubContext,
  type TestBusApp,
} from '@registrar/bus/testing';
import {
  createTestDatabase,
  eventually,
  findBroker,
  SimulatedProvider,
  SupervisedProcess,
  type TestDatabase,
  testLogger,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const entry = fileURLToPath(new URL('../../../apps/crawler/dist/main.js', import.meta.url));

describeWith(
  await findBroker(),
  'a crawler process that is stopped (SIGSTOP) during a crawl',
  (broker) => {
    const namespace = `test-${randomBytes(6).toString('hex')}`;
    let directory: string;
    let server: TestDatabase;
    let database: pg.Client;
    let provider: SimulatedProvider;
    let identity: TestBusApp;
    const replicas: SupervisedProcess[] = [];

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'registrar-lease-'));
      await writeFile(join(directory, 'master.key'), generateMasterKey());
      server = await createTestDatabase();
      database = new pg.Client({ connectionString: server.url });
      await database.connect();
      provider = await SimulatedProvider.start();
      const { appId, secretKey } = account();
      const sealing = Sealing.fromKeyFile(join(directory, 'master.key'));
      const { logger } = testLogger('identity');
      const transport = rabbitMqTransport({
        url: broker,
        namespace,
        logger,
        accounts: 'shared',
      });
      const credentials = {
        applicationId: 1,
        realmId: 7,
        baseUrl: provider.url,
        appId,
        sealedSecretKey: sealing.seal(secretKey, providerSecretPurpose(appId)),
        sealedPostbackSecret: sealing.seal('postbacks', postbackSecretPurpose(appId)),
      };
      identity = await startStubContext(
        'identity',
        [
          stubReply(listProviderApplications, async () => ({
            applications: [{ id: 1, realmId: 7, isPaused: false }],
          })),
          stubReply(findProviderCredentials, async () => credentials),
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
        BUS_ACCOUNTS: 'shared',
        MASTER_KEY_FILE: join(directory, 'master.key'),
        // One crawl at a time, each only once, so that the stopped process waits only for the provider.
        CRAWL_CONCURRENCY: '1',
        CRAWL_INTERVAL_SECONDS: '3600',
      };
      const logFile = join(directory, `${name}.log`);
      replicas.push(await SupervisedProcess.start(name, { entry, environment, logFile }));
    };
    const eventuallyTrue = (awaited: string, condition: string) =>
      eventually(awaited, () => isTrue(condition), { intervalMs: 50 });
    const isTrue = async (condition: string): Promise<boolean> => {
      const { rows } = await database.query<{ holds: boolean }>(`SELECT ${condition} AS holds`);
      return rows[0]?.holds === true;
    };
    /** Reads all rows that a crawl writes. No consumer takes its events. */
    const written = async () => {
      const rows = async (sql: string) => (await database.query(sql)).rows as unknown[];
      return {
        history: await rows('SELECT * FROM crawler.crawl_history ORDER BY id'),
        due: await rows('SELECT * FROM crawler.due_crawls ORDER BY kind'),
        applications: await rows('SELECT * FROM crawler.applications ORDER BY id'),
        events: await rows('SELECT id, name, payload FROM crawler.outbox ORDER BY id'),
      };
    };

    it('writes nothing after it continues with an expired lease', async () => {
      const answered = Promise.withResolvers<undefined>();
      const asked = Promise.withResolvers<void>();
      provider.intercept = () => {
        asked.resolve();
        return answered.promise;
      };
      await start('stopped');
      await asked.promise;
      replicas[0]?.freeze();
      provider.intercept = () => undefined;
      // The response stays in the socket of the stopped process.
      answered.resolve(undefined);

      // Instead of waiting for its end.
      await database.query('UPDATE crawler.applications SET lease_until = clock_timestamp()');
      await start('other');
      await eventuallyTrue(
        'the other crawler has crawled and released its lease',
        `NOT EXISTS (SELECT FROM crawler.due_crawls WHERE due_at <= now())
        AND (SELECT lease_until < clock_timestamp() FROM crawler.applications WHERE id = 1)`,
      );
      const before = await written();

      replicas[0]?.resume();
      const log = join(directory, 'stopped.log');
      await eventually('the log says that the failure of the crawl was not recorded', async () =>
        (await readFile(log, 'utf8')).includes('the failure of a crawl was not recorded'),
      );
      expect(await readFile(log, 'utf8')).toContain('the lease has ended');
      expect(await written()).toEqual(before);
    });
  },
);
