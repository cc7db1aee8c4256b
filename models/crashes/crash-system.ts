import { startCrawler } from '#apps/crawler';
import { startEnrolment } from '#apps/enrolment';
import { startIdentity } from '#apps/identity';
import {
  type BusApp,
  BusClient,
  type BusTransport,
  inProcessTransport,
  rabbitMqTransport,
} from '#libs/bus';
import { createProviderApplication, createRealm, Failure, findCourse } from '#libs/contracts';
import { createLogger, generateMasterKey } from '#libs/platform';
import {
  answer,
  createTestDatabase,
  deleteNamespace,
  SimulatedProvider,
  startStandIn,
  startTcpProxy,
} from '#libs/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startClient } from '../client.ts';
import { CallPoints } from './call-points.ts';
import { startStatementProxy } from './statement-proxy.ts';
import { struckTransport } from './struck-transport.ts';
import { startTally } from './tally.ts';

/** The apps as one process, from its start to its death. */
interface Life {
  readonly points: CallPoints;
  /** Of a client, which is another process. */
  readonly bus: BusClient;
  end(): Promise<void>;
}

/** Makes all waiting times of the data pass, of retries, leases and pauses. */
const passTime = `
  UPDATE identity.outbox SET next_attempt_at = now();
  UPDATE enrolment.outbox SET next_attempt_at = now();
  UPDATE crawler.outbox SET next_attempt_at = now();
  UPDATE enrolment.registrations SET settle_after = now() - interval '1 s'
    WHERE settle_after IS NOT NULL;
  UPDATE enrolment.registrations SET initialise_after = now() WHERE initialise_after IS NOT NULL;`;
const passTimeOfCrawler = `
  UPDATE crawler.applications SET lease_until = '-infinity', serve_after = '-infinity';
  UPDATE crawler.due_crawls SET due_at = now() WHERE failures > 0;
  UPDATE crawler.rate_limits SET paused_until = now();`;

/** The form of the system whose process is killed. */
export interface SystemForm {
  /** Over this broker; null for the in-process bus. */
  readonly brokerUrl: string | null;
  /** The crawler itself, or what tallies the events for it. */
  readonly crawler: 'real' | 'tally';
}

/**
 * Identity, enrolment and the crawler, which die together and are started again on the same data,
 * with a client, a catalog and a course provider that stay.
 */
export class CrashSystem {
  #life: Life | null = null;

  private constructor(
    private readonly form: SystemForm,
    private readonly directory: string,
    private readonly server: { url: string; drop(): Promise<void> },
    private readonly namespace: string,
    private readonly provider: SimulatedProvider,
    /** Past all faults. */
    private readonly database: pg.Client,
    readonly account: ReturnType<SimulatedProvider['addAccount']>,
  ) {}

  /** With a realm and its provider application, both of number 1, and the course `swimming`. */
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
    await system.begin();
    const { realmGuid } = await system.bus.request(createRealm, { name: 'Model' });
    system.#realmGuid = realmGuid;
    await system.bus.request(createProviderApplication, {
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

  /** Of the process that lives now. */
  get points(): CallPoints {
    return this.#current.points;
  }

  get bus(): BusClient {
    return this.#current.bus;
  }

  get #current(): Life {
    if (!this.#life) throw new Error('the system is not running');
    return this.#life;
  }

  async query<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(sql, parameters)).rows;
  }

  /** Buries what is left of the process, and starts it again: at once, or when time has passed. */
  async restart({ later }: { later: boolean }): Promise<void> {
    await this.#current.end();
    this.#life = null;
    if (later) await this.database.query(passTime);
    if (later && this.form.crawler === 'real') await this.database.query(passTimeOfCrawler);
    await this.begin();
  }

  private async begin(): Promise<void> {
    const { brokerUrl } = this.form;
    const logger = createLogger('models', 'fatal');
    const points = new CallPoints();
    const proxy = await startStatementProxy(this.server.url, points);
    const shared = inProcessTransport();
    const broker = brokerUrl ? await startTcpProxy(brokerUrl) : null;
    points.onDeath(() => broker?.cut());
    const overRabbitMq = (url: string) =>
      rabbitMqTransport({ url, namespace: this.namespace, logger });
    const outside: BusTransport = brokerUrl ? overRabbitMq(brokerUrl) : shared;
    const own = struckTransport(broker ? overRabbitMq(broker.url) : shared, points);
    this.provider.intercept = ({ method, path }) => {
      const fault = points.next(`${method} ${path.split('/')[0] ?? ''}`);
      return fault === null ? undefined : fault === 'not sent' ? 'drop' : 'lose';
    };

    const apps: BusApp[] = [];
    const settings = {
      DATABASE_URL: proxy.url,
      MASTER_KEY_FILE: join(this.directory, 'master.key'),
      LOG_LEVEL: 'fatal',
    } as const;
    const inside = { transport: own, logger };
    const catalog = await startStandIn('catalog', [answer(findCourse, findSwimming)], {
      transport: outside,
      logger,
    });
    apps.push(
      catalog,
      await startIdentity(
        { ...settings, API_KEY_USER_LIFETIME_HOURS: 1, API_KEY_LIFETIME_DAYS: 1 },
        inside,
      ),
      this.form.crawler === 'tally'
        ? await startTally({ databaseUrl: proxy.url, ...inside })
        : await startCrawler({ ...settings, ...crawling }, inside),
      await startEnrolment({ ...settings, LAUNCH_LINK_EXPIRY_SECONDS: 90 }, inside),
    );
    const client = await startClient({ transport: outside, logger });
    apps.push(client);
    this.#life = {
      points,
      bus: client.get(BusClient),
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

const crawling = {
  CRAWL_TYPE: 'course',
  CRAWL_INTERVAL_SECONDS: 86_400,
  CRAWL_SWEEP_INTERVAL_SECONDS: 86_400,
  CRAWL_RATE_PER_SECOND: 1_000,
  CRAWL_CONCURRENCY: 4,
} as const;

async function findSwimming(input: { applicationIds: readonly number[]; courseGuid: string }) {
  const [applicationId] = input.applicationIds;
  if (!applicationId) throw new Failure('not-found', 'no such course');
  return { courseId: 1, applicationId, courseGuid: input.courseGuid, title: 'Swimming' };
}
