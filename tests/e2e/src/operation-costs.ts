import { BusClient, inProcessTransport, type InProcessTransport } from '@registrar/bus';
import { startApp } from '@registrar/bootstrap';
import { crawlNow, takeProviderCalls } from '@registrar/contracts';
import { createLogger, readSettings } from '@registrar/platform';
import { type Standalone, standaloneSettings, startStandalone } from '@registrar/standalone';
import { createTestDatabase, eventually, freePort, highRequestLimits } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type LoggedTransaction, type StatementLog, startStatementLog } from './statement-log.ts';

/** What one request of an operation costs, with all that follows from it until the system is at rest. */
export interface OperationCost {
  readonly operation: string;
  readonly transactions: readonly LoggedTransaction[];
  /** The requests between apps and the events that were handled, by their names. */
  readonly messages: readonly string[];
}

/** The most that operations may cost. A crawl begins up to a second late: its bounds include what is polled meanwhile. */
export const costBounds: Readonly<
  Record<
    string,
    { readonly statements: number; readonly transactions: number; readonly messages: number }
  >
> = {
  // The version of the courses is asked for, unless another request has asked within 50 ms.
  'course index': { statements: 1, transactions: 1, messages: 1 },
  'course index, include_registrations': { statements: 2, transactions: 2, messages: 2 },
  'registration index': { statements: 1, transactions: 1, messages: 1 },
  'registration show': { statements: 1, transactions: 1, messages: 1 },
  'registration launch_url': { statements: 5, transactions: 5, messages: 2 },
  'registration create': { statements: 6, transactions: 6, messages: 3 },
  'registration create, dont_duplicate': { statements: 4, transactions: 3, messages: 2 },
  'registration update': { statements: 3, transactions: 1, messages: 1 },
  // With the act of the operator for the audit log.
  'crawl of changes': { statements: 66, transactions: 44, messages: 7 },
};

/**
 * How often each operation is measured. Periodic work of the system only adds to what belongs to the request, so
 * the least of the counts is the request's own; on a busy machine more are needed to meet a moment without.
 */
const repetitions = { fewest: 8, most: 60 };

export const statementCount = ({ transactions }: OperationCost): number =>
  transactions.reduce((sum, { statements }) => sum + statements.length, 0);

/**
 * Calls of the provider are taken for many requests together, and kept for 50 ms: whether a single request has to take
 * some depends on how fast the machine is.
 */
const takingCalls = `enrolment → ${takeProviderCalls.name}`;
const takesCalls = ({ app, statements }: LoggedTransaction): boolean =>
  app === 'crawler' && statements.every((text) => text.includes('UPDATE rate_limits'));

/** A system in this process, on a database of its own whose statements are noted. */
class CountedSystem {
  private constructor(
    private readonly baseUrl: string,
    private readonly log: StatementLog,
    private readonly messages: readonly string[],
    private readonly database: pg.Client,
    readonly quickstart: Standalone['quickstart'],
    /** The bus client of the operator. */
    readonly operator: BusClient,
  ) {}

  static async start(resources: AsyncDisposableStack): Promise<CountedSystem> {
    const server = resources.adopt(await createTestDatabase(), (each) => each.drop());
    const log = resources.adopt(await startStatementLog(server.url), (each) => each.close());
    const directory = resources.adopt(await mkdtemp(join(tmpdir(), 'registrar-costs-')), (each) =>
      rm(each, { recursive: true }),
    );
    const database = new pg.Client({ connectionString: server.url });
    await database.connect();
    resources.defer(() => database.end());
    const messages: string[] = [];
    const transport = notingTransport(inProcessTransport(), messages);
    const logger = createLogger('costs', 'fatal');
    const settings = readSettings(standaloneSettings, {
      ...highRequestLimits,
      DATA_DIR: directory,
      PORT: String(await freePort()),
      PROVIDER_PORT: String(await freePort()),
      CONSOLE: 'off',
      CRAWL_INTERVAL_SECONDS: '86400',
    });
    const { quickstart } = resources.adopt(
      await startStandalone(settings, () => logger, {
        databaseUrl: log.url,
        transport,
        onRefused: () => undefined,
      }),
      (each) => each.stop(),
    );
    const operator = resources.adopt(
      await startApp({ name: 'operator', module: class {}, transport, logger }),
      (each) => each.stop(),
    );
    const bus = operator.get(BusClient);
    return new CountedSystem(quickstart.base_url, log, messages, database, quickstart, bus);
  }

  /** Sends a request of the API, and returns the response as parsed JSON. */
  async send<Reply>(
    method: string,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    const given = new URLSearchParams(parameters);
    const url = `${this.baseUrl}/${path}`;
    const response = await (method === 'GET'
      ? fetch(`${url}?${given.toString()}`)
      : fetch(url, { method, body: given }));
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`);
    return (await response.json()) as Reply;
  }

  /** Performs an operation when the system is at rest, until it is at rest again. */
  async measure(operation: string, perform: () => Promise<unknown>): Promise<OperationCost> {
    await this.#atRest();
    const [transactions, messages] = [this.log.transactions.length, this.messages.length];
    await perform();
    await this.#atRest();
    return {
      operation,
      transactions: this.log.transactions.slice(transactions).filter((each) => !takesCalls(each)),
      messages: this.messages.slice(messages).filter((each) => each !== takingCalls),
    };
  }

  /**
   * Waits until every event has been handled and no crawl is due, and until no statement is sent between two looks.
   */
  #atRest(): Promise<unknown> {
    return eventually(
      'the system is at rest',
      async () => {
        const before = this.log.transactions.length;
        return (
          (await this.#hasRest()) &&
          (await this.#hasRest()) &&
          this.log.isIdle &&
          this.log.transactions.length === before
        );
      },
      { intervalMs: 5 },
    );
  }

  async #hasRest(): Promise<boolean> {
    const { rows: statements } = await this.database.query<{ text: string }>(outboxesAreEmpty);
    for (const { text } of [...statements, { text: crawlerRests }]) {
      const { rows } = await this.database.query<{ rest: boolean }>(text);
      if (rows[0]?.rest !== true) return false;
    }
    return true;
  }
}

/**
 * Counts the statements, transactions and messages of operations, on a system of its own in this process. What many
 * requests share is not counted: periodic tasks, calls of the provider, and what a cache of the process holds after
 * the first request.
 */
export async function measureOperationCosts(): Promise<OperationCost[]> {
  await using resources = new AsyncDisposableStack();
  const system = await CountedSystem.start(resources);
  const costs: OperationCost[] = [];
  for (const [operation, perform] of Object.entries(await operationsOf(system))) {
    await system.measure(operation, perform);
    let least = await system.measure(operation, perform);
    for (let each = 1; each < repetitions.most; each += 1) {
      if (each >= repetitions.fewest && isWithinBounds(least)) break;
      const cost = await system.measure(operation, perform);
      if (isLess(cost, least)) least = cost;
    }
    costs.push(least);
  }
  return costs;
}

const isLess = (one: OperationCost, other: OperationCost): boolean =>
  statementCount(one) < statementCount(other);

/** Whether an operation costs no more than it may. */
export function isWithinBounds(cost: OperationCost): boolean {
  const bound = costBounds[cost.operation];
  return (
    bound !== undefined &&
    statementCount(cost) <= bound.statements &&
    cost.transactions.length <= bound.transactions &&
    cost.messages.length <= bound.messages
  );
}

/** Returns requests of the main operations, on a learner and a registration that exist. */
async function operationsOf(
  system: CountedSystem,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const { course_guid, realm_guid, realm_secret_key } = system.quickstart;
  const pair = { realm_guid, realm_secret_key };
  const learner_id = 'learner@costs.example';
  const { access_token: api_key } = await system.send<{ access_token: string }>(
    ...(['POST', 'api_key.json', pair] as const),
  );
  const bound = await system.send<{ access_token: string }>(
    ...(['POST', 'api_key.json', { ...pair, user_email: learner_id }] as const),
  );
  const send = <Reply>(method: string, path: string, parameters: Record<string, string> = {}) =>
    system.send<Reply>(method, path, { api_key, ...parameters });
  const create = (learner_id: string, more: Record<string, string> = {}) =>
    send<{ registration_guid: string }>('POST', 'registration.json', {
      course_guid,
      learner_id,
      ...more,
    });
  const { registration_guid: guid } = await create(learner_id);
  return {
    'course index': () => send('GET', 'course.json'),
    'course index, include_registrations': () =>
      send('GET', 'course.json', { api_key: bound.access_token, include_registrations: 't' }),
    'registration index': () => send('GET', 'registration.json', { learner_id }),
    'registration show': () => send('GET', `registration/${guid}.json`),
    'registration launch_url': () =>
      send('GET', `registration/${guid}/launch_url.json`, { redirect_url: 'http://localhost/' }),
    'registration create': () => create(`${randomUUID()}@costs.example`),
    'registration create, dont_duplicate': () => create(learner_id, { dont_duplicate: 't' }),
    'registration update': () =>
      send('POST', `registration/${guid}.json`, { custom: JSON.stringify({ at: randomUUID() }) }),
    'crawl of changes': () => system.operator.request(crawlNow, { application: 1, sweep: false }),
  };
}

/** Makes a statement that looks into the outboxes of all schemas. */
const outboxesAreEmpty = `
  SELECT format('SELECT %s AS rest', string_agg(
           format('NOT EXISTS (SELECT FROM %I.outbox)', table_schema), ' AND ')) AS text
  FROM information_schema.tables WHERE table_name = 'outbox'`;

const crawlerRests = `
  SELECT NOT EXISTS (SELECT FROM crawler.due_crawls WHERE due_at <= now())
     AND NOT EXISTS (SELECT FROM crawler.applications WHERE lease_until > now()) AS rest`;

/** Notes the requests and the events that the apps of a bus receive. */
const notingTransport = (bus: InProcessTransport, messages: string[]): InProcessTransport => ({
  join: (app) => {
    const endpoint = bus.join(app);
    const { server } = endpoint;
    const request = server.dispatchRequest.bind(server);
    const event = server.dispatchEvent.bind(server);
    server.dispatchRequest = (envelope, sender) => {
      messages.push(`${sender} → ${envelope.name}`);
      return request(envelope, sender);
    };
    server.dispatchEvent = (first, together) => {
      for (const _event of together?.payloads ?? [first]) {
        messages.push(`${first.name} → ${app.name}`);
      }
      return event(first, together);
    };
    return endpoint;
  },
  dispatch: (envelope, sender) => bus.dispatch(envelope, sender),
});
