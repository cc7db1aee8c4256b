import { startCrawler } from '@registrar/crawler';
import { startEnrolment } from '@registrar/enrolment';
import { startIdentity } from '@registrar/identity';
import {
  BusClient,
  type BusTransport,
  inProcessTransport,
  rabbitMqTransport,
} from '@registrar/bus';
import { createProviderApplication, createRealm, Failure, findCourse } from '@registrar/contracts';
import { createLogger, generateMasterKey } from '@registrar/platform';
import {
  stubReply,
  deleteNamespace,
  startStubContext,
  type TestBusApp,
} from '@registrar/bus/testing';
import { createTestDatabase, SimulatedProvider, startTcpProxy } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startClient } from '../client.ts';
import { FaultPoints } from './fault-points.ts';
import { startStatementProxy } from './statement-proxy.ts';
import { faultyTransport } from './faulty-transport.ts';
import { startEventCounter } from './event-counter.ts';

/** The apps that a crash kills together, from their start to their end. */
interface ProcessInstance {
  readonly points: FaultPoints;
  /** The bus clients of the gateway and of the operator, which are not killed. */
  readonly bus: BusClient;
  readonly operator: BusClient;
  end(): Promise<void>;
}

/** Ends all delays in the data: of retries, leases and pauses. */
const skipDelays = `
  UPDATE identity.outbox SET next_attempt_at = now();
  UPDATE enrolment.outbox SET next_attempt_at = now();
  UPDATE crawler.outbox SET next_attempt_at = now();
  UPDATE enrolment.registrations SET settle_after = now() - interval '1 s'
    WHERE settle_after IS NOT NULL;
  UPDATE enrolment.registrations SET initialize_after = now() WHERE initialize_after IS NOT NULL;`;
const skipCrawlerDelays = `
  UPDATE crawler.applications SET lease_until = '-infinity', serve_after = '-infinity';
  UPDATE crawler.due_crawls SET due_at = now() WHERE failures > 0;
  UPDATE crawler.rate_limits SET paused_until = now();`;

/** The form of the system under test. */
export interface SystemForm {
  /** Address of the broker; null for the in-process bus. */
  readonly brokerUrl: string | null;
  /** The crawler itself, or a stand-in that counts its events. */
  readonly crawler: 'real' | 'counter';
}

/**
 * Identity, enrolment and the crawler, which are killed together and restarted on the same data, with
 * a client, a catalog and a course provider that keep running.
 */
export class CrashSystem {
  #life: ProcessInstance | null = null;

  private constructor(
    private readonly form: SystemForm,
    private readonly directory: string,
    private readonly server: { url: string; drop(): Promise<void> },
    private readonly namespace: string,
    private readonly provider: SimulatedProvider,
    /** A connection without injected faults. */
    private readonly database: pg.Client,
    readonly account: ReturnType<SimulatedProvider['addAccount']>,
  ) {}

  /** Starts a system with realm 1, its provider application 1 and the course `swimming`. */
  static async start(form: SystemForm): Promise<CrashSystem> {
    const directory = await mkdtemp(join(tmpdir(), 'registrar-models-'));
    await writeFile(join(directory, 'master.key'), generateMasterKey());
    const server = await createTestDatabase();
    const provider = await SimulatedProvider.start();
    const account = provider.addAccount('app-1');
    account.addCourse('swimming');
    const database = new pg.Client({ connectionString: server.url });
    await database.connect();
    const namespace = `models-${randomBytes(6).toString('hex')}`;
    const its = [form, directory, server, namespace, provider, database, account] as const;
    const system = new CrashSystem(...its);
    await system.startProcess();
    const { realmGuid } = await system.operator.request(createRealm, { name: 'Model' });
    system.#realmGuid = realmGuid;
    await system.operator.request(createProviderApplication, {
      realmGuid,
      name: 'Model',
      baseUrl: provider.url,
      appId: account.appId,
      secretKey: account.secretKey,
    });
    return system;
  }

  #realmGuid = '';
  get realmGuid(): string {
    return this.#realmGuid;
  }

  /** The fault points of the current process. */
  get points(): FaultPoints {
    return this.#current.points;
  }

  get bus(): BusClient {
    return this.#current.bus;
  }

  get operator(): BusClient {
    return this.#current.operator;
  }

  get #current(): ProcessInstance {
    if (!this.#life) throw new Error('the system is not running');
    return this.#life;
  }

  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(sql, parameters)).rows;
  }

  /** Stops the rest of the process and starts it again; with `later`, after all delays have passed. */
  async restart({ later }: { later: boolean }): Promise<void> {
    await this.#current.end();
    this.#life = null;
    if (later) await this.database.query(skipDelays);
    if (later && this.form.crawler === 'real') await this.database.query(skipCrawlerDelays);
    await this.startProcess();
  }

  private async startProcess(): Promise<void> {
    const { brokerUrl } = this.form;
    const logger = createLogger('models', 'fatal');
    const points = new FaultPoints();
    const proxy = await startStatementProxy(this.server.url, points);
    const shared = inProcessTransport();
    const broker = brokerUrl ? await startTcpProxy(brokerUrl) : null;
    points.onKill(() => broker?.cut());
    const overRabbitMq = (url: string) =>
      rabbitMqTransport({
        url,
        namespace: this.namespace,
        logger,
        accounts: 'shared',
      });
    const outside: BusTransport = brokerUrl ? overRabbitMq(brokerUrl) : shared;
    const own = faultyTransport(broker ? overRabbitMq(broker.url) : shared, points);
    this.provider.intercept = ({ method, path }) => {
      const fault = points.next(`${method} ${path.split('/')[0] ?? ''}`);
      return fault === null ? undefined : fault === 'not sent' ? 'drop' : 'lose';
    };

    const apps: TestBusApp[] = [];
    const settings = {
      DATABASE_URL: proxy.url,
      MASTER_KEY_FILE: join(this.directory, 'master.key'),
      LOG_LEVEL: 'fatal',
    } as const;
    const inside = { transport: own, logger };
    const catalog = await startStubContext('catalog', [stubReply(findCourse, findSwimming)], {
      transport: outside,
      logger,
    });
    apps.push(
      catalog,
      await startIdentity(
        {
          ...settings,
          API_KEY_USER_LIFETIME_HOURS: 1,
          API_KEY_LIFETIME_DAYS: 1,
          AUDIT_RETENTION_DAYS: 1,
        },
        inside,
      ),
      this.form.crawler === 'counter'
        ? await startEventCounter({ databaseUrl: proxy.url, ...inside })
        : await startCrawler(
            { ...settings, ...crawlSettings },
            { ...inside, sizes: { pagesPerTurn: 1 } },
          ),
      await startEnrolment(settings, inside),
    );
    const client = await startClient('gateway', { transport: outside, logger });
    const operator = await startClient('operator', { transport: outside, logger });
    apps.push(client, operator);
    this.#life = {
      points,
      bus: client.get(BusClient),
      operator: operator.get(BusClient),
      end: async () => {
        points.disarm();
        for (const app of apps.reverse()) await app.stop();
        await proxy.close();
        await broker?.close();
      },
    };
  }

  async stop(): Promise<void> {
    await this.#current.end();
    await this.database.end();
    await this.provider.stop();
    await this.server.drop();
    if (this.form.brokerUrl) await deleteNamespace(this.form.brokerUrl, this.namespace);
    await rm(this.directory, { recursive: true });
  }
}

const crawlSettings = {
  CRAWL_INTERVAL_SECONDS: 86_400,
  APPLICATION_CALLS_PER_SECOND: 20_000,
  CRAWL_RATE_PER_SECOND: 10_000,
  CRAWL_CONCURRENCY: 4,
} as const;

async function findSwimming(input: { applicationIds: readonly number[]; courseGuid: string }) {
  const [applicationId] = input.applicationIds;
  if (!applicationId) throw new Failure('not-found', 'no such course');
  return { courseId: 1, applicationId, courseGuid: input.courseGuid, title: 'Swimming' };
}
