import { type BusApp, BusClient, inProcessTransport, Outbox, type PayloadOf } from '#libs/bus';
import {
  type EventContract,
  Failure,
  listProviderApplications,
  providerCredentials,
} from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { generateMasterKey, providerSecretPurpose, Sealing } from '#libs/platform';
import {
  answer,
  createTestDatabase,
  type SimulatedAccount,
  SimulatedProvider,
  type SimulatedRequest,
  startStandIn,
  testLogger,
} from '#libs/testing';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { Background } from './background.ts';
import { PerformCrawl } from './crawls/perform-crawl.ts';
import { KnownApplications } from './applications/known-applications.ts';
import { type Claim, type ListKind } from './due-work/claim.ts';
import { ClaimWork } from './due-work/claim-work.ts';
import { type CrawlerSettings, startCrawler } from './index.ts';

export type CrawlerFixture = Awaited<ReturnType<typeof startCrawlerFixture>>;

/** One replica, on a bus of its own. */
export type Replica = Awaited<ReturnType<CrawlerFixture['startReplica']>>;

/**
 * What replicas of the crawler need: a database, identity, and a simulated course provider with
 * an account for each provider application. Their loops are at rest, if not wanted otherwise:
 * suites run the pieces themselves. Nobody takes events off the outbox.
 */
export async function startCrawlerFixture(settings: Partial<CrawlerSettings> = {}) {
  const server = await createTestDatabase();
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(join(tmpdir(), 'crawler-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const sealing = Sealing.fromKeyFile(keyFile);
  const accounts = new Map<number, SimulatedAccount>();
  const secrets = new Map<number, string>();
  const running: { stop(): Promise<void> }[] = [];

  const account = (applicationId: number): SimulatedAccount => {
    const found = accounts.get(applicationId);
    if (!found) throw new Failure('not-found', 'no such provider application');
    return found;
  };
  const identity = [
    answer(listProviderApplications, async () => ({
      applications: [...accounts.keys()].map((id) => ({ id, realmId: 7 })),
    })),
    answer(providerCredentials, async ({ applicationId }) => {
      const { appId, secretKey } = account(applicationId);
      return {
        applicationId,
        realmId: 7,
        baseUrl: provider.url,
        appId,
        sealedSecretKey: sealing.seal(
          secrets.get(applicationId) ?? secretKey,
          providerSecretPurpose(appId),
        ),
      };
    }),
  ];

  /** Starts a replica; `alone`: on a bus without identity. */
  const startReplica = async (parts: { loops?: boolean; alone?: boolean } = {}) => {
    const { loops = false, alone = false } = parts;
    const log = testLogger('crawler');
    const { logger } = log;
    const transport = inProcessTransport();
    const on = { transport, logger };
    const startIdentity = async () => {
      const standIn = await startStandIn('identity', identity, { ...on, databaseUrl: server.url });
      running.push(standIn);
    };
    /** Another context publishes an event on the replica's bus. */
    const publish = async <Payload extends z.ZodType>(
      contract: EventContract<Payload>,
      payload: z.output<Payload>,
    ) => {
      const standIn = await startStandIn(contract.context, [], { ...on, databaseUrl: server.url });
      running.push(standIn);
      await standIn.get(Database).transaction(() => standIn.get(Outbox).publish(contract, payload));
    };
    if (loops && !alone) await startIdentity();
    const app: BusApp = await startCrawler(
      {
        DATABASE_URL: server.url,
        MASTER_KEY_FILE: keyFile,
        LOG_LEVEL: 'debug',
        CRAWL_TYPE: 'course',
        CRAWL_INTERVAL_SECONDS: 30,
        CRAWL_SWEEP_INTERVAL_SECONDS: 21_600,
        CRAWL_RATE_PER_SECOND: 1_000,
        ...settings,
        // With no room for work the loop is at rest.
        CRAWL_CONCURRENCY: loops ? 4 : 0,
      },
      on,
    );
    let stopped = false;
    const stop = async () => {
      if (!stopped) await app.stop();
      stopped = true;
    };
    running.unshift({ stop });
    if (!loops) {
      // Before there is an identity to ask.
      await app.get(Background).beforeApplicationShutdown();
      if (!alone) await startIdentity();
    }
    const claim = () => app.get(ClaimWork).run();
    const perform = (claimed: Claim) => app.get(PerformCrawl).run(claimed);
    return {
      app,
      bus: app.get(BusClient),
      lines: () => log.lines(),
      stop,
      startIdentity,
      publish,
      claim,
      perform,

      /** Hears of the provider applications that there are. */
      refresh: () => app.get(KnownApplications).refresh(),

      /** Does what is due, one piece after the other, and answers what it was. */
      async crawlDue(): Promise<Claim[]> {
        const done: Claim[] = [];
        for (let next = await claim(); next; next = await claim()) {
          await perform(next);
          done.push(next);
        }
        return done;
      },
    };
  };

  const first = await startReplica();
  const database: Database = first.app.get(Database);
  return {
    ...first,
    database,
    provider,
    account,
    startReplica,

    /** Adds a provider application with an empty account; replicas do not know of it yet. */
    addApplication(applicationId: number): SimulatedAccount {
      const added = provider.addAccount(`app-${applicationId}`);
      added.addCourse('swimming');
      accounts.set(applicationId, added);
      return added;
    },

    /** Identity does not know the application any more. */
    removeApplication: (applicationId: number) => accounts.delete(applicationId),

    /** Identity has another secret of the application from now on than the provider. */
    setSecret: (applicationId: number, secret: string) => secrets.set(applicationId, secret),

    /** Makes a kind of crawl due, as when its interval has passed. */
    async makeDue(applicationId: number, kind: ListKind): Promise<void> {
      await database.query(
        'UPDATE due_crawls SET due_at = now() WHERE application_id = $1 AND kind = $2',
        [applicationId, kind],
      );
    },

    /** Makes every waiting time pass: of intervals, rate limits and pauses; not of leases. */
    async passTime(): Promise<void> {
      await database.query(`UPDATE applications SET serve_after = '-infinity'`);
      await database.query(`UPDATE rate_limits SET paused_until = now()`);
    },

    /** The payloads of an event that were published, in order. */
    async published<Contract extends EventContract>(
      contract: Contract,
    ): Promise<PayloadOf<Contract>[]> {
      const rows = await database.query<{ payload: PayloadOf<Contract> }>(
        'SELECT payload FROM outbox WHERE name = $1 ORDER BY id',
        [contract.name],
      );
      return rows.map((row) => row.payload);
    },

    /** Resolves when the provider is asked for such a thing. */
    asked: (fits: (request: SimulatedRequest) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const before = provider.intercept;
        provider.intercept = (request) => {
          if (fits(request)) resolve();
          return before(request);
        };
      }),

    /** Holds back the answers to such questions until `release` is called. */
    holdBack(fits: (request: SimulatedRequest) => boolean): { release(): void } {
      const gate = new EventEmitter();
      let open = false;
      const before = provider.intercept;
      provider.intercept = async (request) => {
        if (!open && fits(request)) await once(gate, 'open');
        return before(request);
      };
      const release = () => {
        open = true;
        gate.emit('open');
      };
      return { release };
    },

    history: (applicationId: number) =>
      database.query<{ kind: string; outcome: string; items: number; error: string | null }>(
        `SELECT kind, outcome, items, error FROM crawl_history
         WHERE application_id = $1 ORDER BY id`,
        [applicationId],
      ),

    /** Forgets all that was crawled and is due, and every application. */
    async reset(): Promise<void> {
      accounts.clear();
      secrets.clear();
      first.app.get(CourseProviderDirectory).forget();
      provider.requests.length = 0;
      provider.intercept = () => undefined;
      provider.pageSize = 100;
      await database.query(
        `TRUNCATE applications, due_crawls, due_registrations, rate_limits, crawl_history, outbox`,
      );
    },

    async stopAll(): Promise<void> {
      for (const each of running) await each.stop();
      await provider.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
