import { PeriodicTasks, type StartedApp } from '@registrar/bootstrap';
import {
  BusClient,
  inProcessTransport,
  type InputOf,
  Outbox,
  type PayloadOf,
  type ReplyOf,
} from '@registrar/bus';
import {
  type Context,
  contextOf,
  type EventContract,
  Failure,
  findChangedResults,
  findProviderCredentials,
  listProviderApplications,
} from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { createMigratedDatabase } from '@registrar/persistence/testing';
import {
  generateMasterKey,
  providerSecretPurpose,
  Sealing,
  postbackSecretPurpose,
} from '@registrar/platform';
import { stubReply, startStubContext, type TestBusApp } from '@registrar/bus/testing';
import {
  type SimulatedAccount,
  SimulatedProvider,
  type SimulatedRequest,
  testLogger,
} from '@registrar/testing';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { RefreshAfterAccessChange } from './applications/refresh-after-access-change.ts';
import { RefreshApplications } from './applications/refresh-applications.ts';
import { type ListSizes } from './crawls/list-sizes.ts';
import { PerformCrawl } from './crawls/perform-crawl.ts';
import { type Claim, type ListKind } from './due-work/claim.ts';
import { ClaimWork } from './due-work/claim-work.ts';
import { type CrawlerSettings, startCrawler } from './index.ts';
import { crawlerSchema } from './schema.ts';

export type CrawlerFixture = Awaited<ReturnType<typeof startCrawlerFixture>>;

/** A replica on a bus of its own. */
export type Replica = Awaited<ReturnType<CrawlerFixture['startReplica']>>;

const historyRow = z.object({
  kind: z.string(),
  outcome: z.string(),
  items: z.number(),
  error: z.string().nullable(),
});

const unavailable = async () => {
  throw new Failure('unavailable', 'enrolment is unavailable');
};

/**
 * Starts a replica of the crawler with a database, stubs of identity and enrolment, and a simulated
 * course provider with an account for each provider application. Loops and periodic tasks are
 * stopped unless requested: suites call the parts themselves. No relay removes events from the
 * outbox.
 */
export async function startCrawlerFixture(
  settings: Partial<CrawlerSettings> = {},
  sizes: Partial<ListSizes> = {},
) {
  const server = await createMigratedDatabase(crawlerSchema);
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(join(tmpdir(), 'crawler-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const sealing = Sealing.fromKeyFile(keyFile);
  const accounts = new Map<number, SimulatedAccount>();
  const secrets = new Map<number, string>();
  const pausedIds = new Set<number>();
  const running: { stop(): Promise<void> }[] = [];

  const account = (applicationId: number): SimulatedAccount => {
    const found = accounts.get(applicationId);
    if (!found) throw new Failure('not-found', 'no such provider application');
    return found;
  };
  const identity = [
    stubReply(listProviderApplications, async () => ({
      applications: [...accounts.keys()].map((id) => ({
        id,
        realmId: 7,
        isPaused: pausedIds.has(id),
      })),
    })),
    stubReply(findProviderCredentials, async ({ applicationId }) => {
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
        sealedPostbackSecret: sealing.seal('postbacks', postbackSecretPurpose(appId)),
      };
    }),
  ];

  /** Enrolment's reply; unless a suite sets another one, enrolment is unavailable. */
  const enrolment: {
    findChanged(
      input: InputOf<typeof findChangedResults>,
    ): Promise<ReplyOf<typeof findChangedResults>>;
  } = { findChanged: unavailable };

  /**
   * Starts a replica.
   *
   * @param options `loops`: run the crawl loop and periodic tasks; `alone`: without identity
   */
  const startReplica = async (options: { loops?: boolean; alone?: boolean } = {}) => {
    const { loops = false, alone = false } = options;
    const log = testLogger('crawler', settings.LOG_LEVEL === 'error' ? 'error' : 'trace');
    const { logger } = log;
    const transport = inProcessTransport();
    const on = { transport, logger };
    const stubs = new Map<Context, TestBusApp>();
    const startStub = async (context: Context, replies: Parameters<typeof startStubContext>[1]) => {
      const stub = await startStubContext(context, replies, { ...on, databaseUrl: server.url });
      stubs.set(context, stub);
      return stub;
    };
    const startIdentity = async () => {
      await startStub('identity', identity);
    };
    /** Publishes an event of another context on the replica's bus. */
    const publish = async <Payload extends z.ZodType>(
      contract: EventContract<Payload>,
      payload: z.output<Payload>,
    ) => {
      const context = contextOf(contract.name);
      const stub = stubs.get(context) ?? (await startStub(context, []));
      await stub.get(Database).transaction(() => stub.get(Outbox).publish(contract, payload));
    };
    if (loops && !alone) await startIdentity();
    const app: StartedApp = await startCrawler(
      {
        DATABASE_URL: server.url,
        MASTER_KEY_FILE: keyFile,
        LOG_LEVEL: 'debug',
        CRAWL_INTERVAL_SECONDS: 30,
        APPLICATION_CALLS_PER_SECOND: 2_000,
        CRAWL_RATE_PER_SECOND: 1_000,
        ...settings,
        // A concurrency of zero stops the loop.
        CRAWL_CONCURRENCY: loops ? 4 : 0,
      },
      { ...on, sizes: { pagesPerTurn: 1, ...sizes } },
    );
    let stopped: Promise<void> | null = null;
    const stopOnce = async () => {
      await app.stop();
      for (const stub of stubs.values()) await stub.stop();
    };
    /** Stops the replica and the stubs on its bus. */
    const stop = () => (stopped ??= stopOnce());
    running.push({ stop });
    if (!alone) {
      const reply = stubReply(findChangedResults, (input) => enrolment.findChanged(input));
      await startStub('enrolment', [reply]);
    }
    if (!loops) {
      // Before a periodic task can reach the identity context.
      await app.get(PeriodicTasks).stop();
      if (!alone) await startIdentity();
    }
    const claim = () => app.get(ClaimWork).claim();
    const perform = (claimed: Claim) => app.get(PerformCrawl).perform(claimed);
    return {
      app,
      bus: app.get(BusClient),
      lines: () => log.lines(),
      stop,
      startIdentity,
      publish,
      claim,
      perform,

      /** Copies the provider applications of the identity context. */
      refresh: () => app.get(RefreshApplications).refresh(),

      /** Does what the event of a changed access does. */
      refreshAfterAccessChange: () => app.get(RefreshAfterAccessChange).refresh(),

      /** Performs all due work, one claim after the other, and returns the claims. */
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
    enrolment,
    account,
    startReplica,

    /** Adds a provider application with an account; replicas know it after their next refresh. */
    addApplication(applicationId: number): SimulatedAccount {
      const added = provider.addAccount(`app-${applicationId}`);
      added.addCourse('swimming');
      accounts.set(applicationId, added);
      return added;
    },

    /** Removes the application from the identity context. */
    removeApplication: (applicationId: number) => accounts.delete(applicationId),

    /** Pauses the application in the identity context, or ends that. */
    setPaused: (applicationId: number, isPaused: boolean) => {
      if (isPaused) pausedIds.add(applicationId);
      else pausedIds.delete(applicationId);
    },

    /** Makes the secret in the identity context differ from the provider's. */
    setSecret: (applicationId: number, secret: string) => secrets.set(applicationId, secret),

    /** Makes a kind of crawl due. */
    async makeDue(applicationId: number, kind: ListKind): Promise<void> {
      await database.execute(sql`
        UPDATE due_crawls SET due_at = now()
        WHERE application_id = ${applicationId} AND kind = ${kind}`);
    },

    /** Ends the waiting times of rate limits and backoffs. Leases and intervals stay. */
    async endBackoff(): Promise<void> {
      await database.execute(sql`UPDATE applications SET serve_after = '-infinity'`);
      await database.execute(sql`UPDATE rate_limits SET paused_until = now()`);
    },

    /** Returns the payloads of the published events of a kind, in order. */
    async published<Contract extends EventContract>(
      contract: Contract,
    ): Promise<PayloadOf<Contract>[]> {
      const rows = await database.many(
        z.object({ payload: z.unknown() }),
        sql`SELECT payload FROM outbox WHERE name = ${contract.name} ORDER BY id`,
      );
      return rows.map((row) => contract.payload.parse(row.payload) as PayloadOf<Contract>);
    },

    /** Deletes all published events. */
    clearOutbox: () => database.execute(sql`TRUNCATE outbox`),

    /** Resolves when the provider receives a matching request. */
    requestArrives: (matches: (request: SimulatedRequest) => boolean): Promise<void> =>
      new Promise((resolve) => {
        const before = provider.intercept;
        provider.intercept = (request) => {
          if (matches(request)) resolve();
          return before(request);
        };
      }),

    /** Delays the responses to matching requests until `release` is called. */
    holdResponses(matches: (request: SimulatedRequest) => boolean): { release(): void } {
      const gate = new EventEmitter();
      let open = false;
      const before = provider.intercept;
      provider.intercept = async (request) => {
        if (!open && matches(request)) await once(gate, 'open');
        return before(request);
      };
      const release = () => {
        open = true;
        gate.emit('open');
      };
      return { release };
    },

    /** Returns the finished crawls of an application, in order. */
    history: (applicationId: number) =>
      database.many(
        historyRow,
        sql`SELECT kind, outcome, items, error FROM crawl_history
            WHERE application_id = ${applicationId} ORDER BY id`,
      ),

    /** Deletes all applications, work, results and faults. */
    async reset(): Promise<void> {
      accounts.clear();
      secrets.clear();
      pausedIds.clear();
      first.app.get(CourseProviderDirectory).invalidate();
      enrolment.findChanged = unavailable;
      provider.requests.length = 0;
      provider.intercept = () => undefined;
      provider.pageSize = 100;
      await database.execute(
        sql`TRUNCATE applications, due_crawls, crawl_windows, due_registrations, rate_limits, crawl_history,
                     outbox`,
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
