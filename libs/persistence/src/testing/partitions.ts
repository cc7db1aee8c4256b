import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeBlocksOf } from '@registrar/testing';
import pg from 'pg';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';

/** What a suite divides. */
export interface Division {
  readonly context: 'enrolment' | 'catalog' | 'crawler';
  /** Those that get partitions of their own. */
  readonly applicationIds: readonly number[];
}

/** Returns a block of SQL of docs/partitioning.md. */
export function partitioningSql(name: string): string {
  const block = codeBlocksOf('docs/partitioning.md').find(
    ({ example }) => example === `partitioning-${name}`,
  );
  if (!block) throw new Error(`docs/partitioning.md has no example ${name}`);
  return block.text;
}

/** The statements by which docs/partitioning.md divides the tables of a context, by table. */
const divisionsOf = (context: Division['context']): Map<string, string> =>
  new Map(
    partitioningSql(`divide-${context}`)
      .split('\n')
      .map((statement) => [/'(\w+)'/.exec(statement)![1]!, statement]),
  );

/**
 * Divides the tables of a context as docs/partitioning.md does it, with the rows that they have. The planner may not
 * join by nested loops any more unless nothing else is possible: those would read one partition where another
 * plan of the same statement reads all.
 *
 * @throws {QueryFailedError} if a unique index lacks the column
 */
export async function partitionTables(
  database: Database,
  { context, applicationIds }: Division,
): Promise<PartitionScans> {
  const divisions = divisionsOf(context);
  const separations = [...divisions.values()].flatMap((statement) =>
    applicationIds.map((id) => statement.replace('divide(', 'separate(').replace(')', `, ${id})`)),
  );
  for (const statement of [
    partitioningSql('functions'),
    ...divisions.values(),
    ...separations,
    partitioningSql('drop'),
    `DO $$ BEGIN
       EXECUTE format('ALTER DATABASE %I SET enable_nestloop = off', current_database());
     END $$`,
  ]) {
    await database.execute(raw(statement));
  }
  const partitions = [...divisions.keys()].flatMap((table) =>
    ['default', ...applicationIds].map((part) => `${table}_${part}`),
  );
  const scans = new PartitionScans(database, partitions);
  await scans.take();
  return scans;
}

/** Tells which partitions statements have read, by PostgreSQL's own statistics. */
export class PartitionScans {
  constructor(
    private readonly database: Database,
    private readonly partitions: readonly string[],
  ) {}

  /** Returns the partitions that were read since the last call. */
  async take(): Promise<string[]> {
    const { url } = this.database.dataSource.options as { readonly url: string };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await this.#endBackends(client);
      const { rows } = await client.query<{ name: string }>(
        sql`SELECT relname AS name FROM pg_stat_user_tables
            WHERE relname = ANY(${this.partitions}) AND seq_scan + coalesce(idx_scan, 0) > 0
            ORDER BY relname`,
      );
      await client.query('SELECT pg_stat_reset()');
      return rows.map(({ name }) => name);
    } finally {
      await client.end();
      // The pool notices that its connections have ended.
      await nextTurn();
    }
  }

  /** Ends the backends of the context as they become idle: they report their statistics then. */
  async #endBackends(client: pg.Client): Promise<void> {
    const { applicationName } = this.database.dataSource.options as {
      readonly applicationName: string;
    };
    for (let working = true; working;) {
      const { rows } = await client.query<{ ended: boolean }>(
        sql`SELECT state = 'idle' AND pg_terminate_backend(pid, 10000) AS ended
            FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = ${applicationName}`,
      );
      working = rows.some(({ ended }) => !ended);
    }
  }
}
