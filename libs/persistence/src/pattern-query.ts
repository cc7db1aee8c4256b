import { randomUUID } from 'node:crypto';
import { Failure, type Patterns } from '@registrar/contracts';
import { currentRequestContext, remainingTimeMs, runInRequestContext } from '@registrar/platform';
import pLimit from 'p-limit';
import type { QueryRunner } from 'typeorm';
import type { Database } from './database.ts';
import type { RowSchema } from './row-schema.ts';
import { raw, sql, type Sql } from './sql.ts';
import { sqlState } from './sql-state.ts';

/** Limits the damage of an expression that takes exponential time. */
const patternTimeoutMs = 3_000;

/** Queries with regular expressions that run at the same time in a process; others wait in order. */
const limit = pLimit(2);

const invalidRegularExpression = '2201B';

/**
 * SQL conditions that are true for texts which match all of their regular expressions
 * (contract/parameters#filters-combine). Each expression makes a condition of its own, so that a
 * trigram index can serve it.
 *
 * @param patterns by the SQL of the text to match
 */
export const patternConditions = (patterns: PatternsByText): Sql[] =>
  Object.entries(patterns).flatMap(([text, expressions = []]) =>
    expressions.map((expression) => sql`${raw(text)} ~ ${expression}`),
  );

type PatternsByText = Readonly<Record<string, Patterns | undefined>>;

/**
 * Returns all rows of a statement that has {@link patternConditions}.
 *
 * @throws {Failure} `invalid` for an expression that is malformed or takes too long
 */
export async function queryWithPatterns<Row>(
  database: Database,
  schema: RowSchema<Row>,
  statement: Sql,
): Promise<Row[]> {
  try {
    return await limit(() => {
      const { requestId = randomUUID() } = currentRequestContext() ?? {};
      const deadline = Date.now() + Math.min(patternTimeoutMs, remainingTimeMs());
      return runInRequestContext({ requestId, deadline }, () => database.many(schema, statement));
    });
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

/**
 * Creates the trigram extension unless it exists; for migrations. The lock is necessary because
 * contexts of one database migrate at the same time, and creating an extension concurrently fails.
 */
export async function createTrigramExtension(runner: QueryRunner): Promise<void> {
  await runner.query(`SELECT pg_advisory_xact_lock(hashtext('registrar extensions'))`);
  await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
}
