import { randomUUID } from 'node:crypto';
import { Failure, type FailureCode, type Patterns } from '@registrar/contracts';
import {
  type BucketSize,
  clock,
  currentRequestContext,
  FairQueue,
  type FairQueueLimits,
  holderOf,
  type HoldingScope,
  type Owner,
  remainingTimeMs,
  runInRequestContext,
  SharedBuckets,
  TokenBuckets,
} from '@registrar/platform';
import type { QueryRunner } from 'typeorm';
import * as z from 'zod';
import type { Database } from '../database.ts';
import type { RowSchema } from '../row-schema.ts';
import { customPlan, raw, sql, type Sql } from '../sql.ts';
import { sqlState } from '../sql-state.ts';
import { checkExpression } from './check-expression.ts';

/** What queries with regular expressions may take of a process and its database. */
interface PatternLimits {
  /** How long one may take: milliseconds; the longest when nothing else waits. */
  readonly timeoutMs: { readonly longest: number; readonly shortest: number };
  readonly queue: FairQueueLimits;
  /** What a query may take without spending the budgets: milliseconds. Most take less. */
  readonly freeMs: number;
  /** Milliseconds that a key, and a realm, may spend. */
  readonly keyBudget: BucketSize;
  readonly realmBudget: BucketSize;
}

/** The rules contract/parameters#expression-time and contract/parameters#expression-budget. */
const limits: PatternLimits = {
  timeoutMs: { longest: 3_000, shortest: 500 },
  // Of ten connections and 64 places for requests, each of which one that waits takes.
  queue: { running: 4, runningOfRealm: 1, waiting: 32, waitingOfRealm: 16, maxWaitMs: 30_000 },
  freeMs: 50,
  keyBudget: { capacity: 6_000, refillPerSecond: 100 },
  realmBudget: { capacity: 12_000, refillPerSecond: 200 },
};

const invalidRegularExpression = '2201B';

/**
 * SQL conditions that are true for texts which match all of their regular expressions
 * (contract/parameters#filters-combine). Each expression makes a condition of its own, so that a
 * trigram index can serve it.
 *
 * @param patterns by the SQL of the text to match
 * @throws {Failure} `invalid` for an expression that is refused (contract/parameters#expression-refused)
 */
export const patternConditions = (patterns: PatternsByText): Sql[] =>
  Object.entries(patterns).flatMap(([text, expressions = []]) =>
    expressions.map((expression) => {
      checkExpression(expression);
      return sql`${raw(text)} ~ ${expression} ${customPlan}`;
    }),
  );

type PatternsByText = Readonly<Record<string, Patterns | undefined>>;

/** Runs queries with {@link patternConditions}. Those of several realms take turns. */
export class PatternQueries {
  readonly #queue: FairQueue;
  readonly #spentByKeys = new TokenBuckets();
  /** The budget of a realm is shared by its keys and users. */
  readonly #spentByRealms = new SharedBuckets();

  constructor(private readonly limits: PatternLimits) {
    this.#queue = new FairQueue(limits.queue, ({ cause }) => {
      const code = cause === 'realm' ? 'over-limit' : 'overloaded';
      return new Failure(code, 'too many regular expressions wait');
    });
  }

  /** See {@link queryWithPatterns}. */
  async query<Row>(
    database: Pick<Database, 'many'>,
    scope: HoldingScope,
    schema: RowSchema<Row>,
    statement: Sql,
  ): Promise<Row[]> {
    const owner = holderOf(scope);
    try {
      this.#requireBudget(owner);
      return await this.#queue.run(owner, () =>
        this.#onBudget(owner, () => {
          const { requestId = randomUUID() } = currentRequestContext() ?? {};
          const deadline = clock.now() + Math.min(this.#timeoutMs(owner), remainingTimeMs());
          return runInRequestContext({ requestId, deadline }, () =>
            database.many(schema, statement),
          );
        }),
      );
    } catch (error) {
      if (sqlState(error) === invalidRegularExpression) {
        throw new Failure('invalid', 'a regular expression is malformed');
      }
      if (error instanceof Failure && error.code === 'expired' && remainingTimeMs() > 0) {
        throw new Failure('invalid', 'a regular expression takes too long');
      }
      throw error;
    }
  }

  /** The more the realm has waiting, and the more realms wait for it, the less time it gets. */
  #timeoutMs({ realmId }: Owner): number {
    const { longest, shortest } = this.limits.timeoutMs;
    const load = this.#queue.waitingOf(realmId) / 4 + this.#queue.waitingRealms(realmId);
    return Math.max(shortest, longest / (1 + load));
  }

  /** @throws {Failure} `over-limit` when a budget of the owner is spent */
  #requireBudget(owner: Owner): void {
    const { keyBudget, realmBudget } = this.limits;
    const leftOfKey = this.#spentByKeys.left(accountOfKey(owner), keyBudget);
    if (leftOfKey > 0 && this.#spentByRealms.leftFor(owner, realmBudget) > 0) return;
    throw new Failure('over-limit', 'the regular expressions of this access have taken too long');
  }

  async #onBudget<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    // What waited before it may have spent the rest.
    this.#requireBudget(owner);
    const begun = clock.monotonic();
    try {
      return await work();
    } finally {
      const costMs = clock.monotonic() - begun - this.limits.freeMs;
      this.#spentByKeys.spend(accountOfKey(owner), this.limits.keyBudget, costMs);
      this.#spentByRealms.spend(owner, costMs);
    }
  }
}

const accountOfKey = ({ realmId, key }: Owner) => `${realmId} ${key}`;

const patternQueries = new PatternQueries(limits);

/**
 * Returns all rows of a statement that has {@link patternConditions}. The statements of several
 * realms take turns.
 *
 * @throws {Failure} `invalid` for an expression that is malformed or takes too long; `over-limit`
 * when too many of the realm wait, and when its expressions have taken too long lately
 */
export const queryWithPatterns = <Row>(
  database: Pick<Database, 'many'>,
  scope: HoldingScope,
  schema: RowSchema<Row>,
  statement: Sql,
): Promise<Row[]> => patternQueries.query(database, scope, schema, statement);

const countRow = z.object({ count: z.int() });

/** What keeps rows from being counted without keeping them from being read. */
const uncountable: readonly FailureCode[] = ['invalid', 'expired', 'over-limit', 'overloaded'];

/**
 * Counts the rows of a list for `Page.total`, within the time, the turns and the budget of regular expressions, because
 * both can read a whole table (contract/parameters#count-time).
 *
 * @param rows a query for the rows of the whole list
 * @returns null when that is not enough
 */
export async function countRows(
  database: Database,
  scope: HoldingScope,
  rows: Sql,
): Promise<number | null> {
  const statement = sql`SELECT count(*) AS count FROM (${rows}) AS counted ${customPlan}`;
  try {
    const [row] = await queryWithPatterns(database, scope, countRow, statement);
    return row?.count ?? null;
  } catch (error) {
    if (error instanceof Failure && uncountable.includes(error.code)) return null;
    throw error;
  }
}

/**
 * Creates the trigram extension unless it exists; for migrations. The lock is necessary because
 * contexts of one database migrate at the same time, and creating an extension concurrently fails.
 */
export async function createTrigramExtension(runner: QueryRunner): Promise<void> {
  await runner.query(`SELECT pg_advisory_xact_lock(hashtext('registrar extensions'))`);
  await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
}
