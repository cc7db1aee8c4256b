import { randomUUID } from 'node:crypto';
import { Failure, type Patterns } from '#libs/contracts';
import { currentOperation, remainingTime, runOperation } from '#libs/platform';
import type { QueryRunner } from 'typeorm';
import type { Database } from './database.ts';
import { sqlState } from './sql-state.ts';

/**
 * How long a query with regular expressions may take: milliseconds; and how many run at once in a
 * process. A costly expression hurts whoever sent it, and leaves the pool's other connections be.
 */
const patternTime = 3_000;
const atOnce = 2;

const invalidRegularExpression = '2201B';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * SQL conditions that texts match all of their expressions (decision 16). Adds the expressions to
 * `parameters`. Each is a condition of its own, so that a trigram index can serve it.
 *
 * @param patterns by the SQL of the text that they are for
 */
export function patternConditions(
  patterns: Readonly<Record<string, Patterns | undefined>>,
  parameters: unknown[],
): string[] {
  return Object.entries(patterns).flatMap(([text, expressions = []]) =>
    expressions.map((expression) => `${text} ~ $${parameters.push(expression)}`),
  );
}

/**
 * Runs a query that has {@link patternConditions}.
 *
 * @throws {Failure} `invalid` for an expression that cannot be parsed or takes too long
 */
export async function queryWithPatterns<Row>(
  database: Database,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  // Whoever ends hands the place on, so that no newcomer comes before those who wait.
  if (running < atOnce) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    const { requestId = randomUUID() } = currentOperation() ?? {};
    const deadline = Date.now() + Math.min(patternTime, remainingTime());
    return await runOperation({ requestId, deadline }, () => database.query<Row>(sql, parameters));
  } catch (error) {
    if (sqlState(error) === invalidRegularExpression) {
      throw new Failure('invalid', 'a regular expression cannot be parsed');
    }
    if (error instanceof Failure && error.code === 'expired' && remainingTime() > 0) {
      throw new Failure('invalid', 'a regular expression takes too long');
    }
    throw error;
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/**
 * For a migration: makes the trigram extension where there is none. The contexts of one database
 * migrate at the same time, and creating an extension twice at once fails.
 */
export async function createTrigramExtension(runner: QueryRunner): Promise<void> {
  await runner.query(`SELECT pg_advisory_xact_lock(hashtext('registrar extensions'))`);
  await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public');
}
