import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { System } from './system.ts';

/** Number of changes after the outage, each of every tenth result, and the pause between two of them in milliseconds. */
const laterChanges = 20;
const laterChangePauseMs = 100;

/**
 * Makes the provider unreachable while every result changes there. Then results go on changing while
 * the crawler reads the backlog, so that registrations leave the pages which it has not read yet
 * (docs/crawling.md, "Lists that change while they are read").
 */
export async function interruptProvider(system: System, durationMs: number): Promise<void> {
  const { providerBalancer } = system;
  if (!providerBalancer) throw new Error('this form of the system has no separate provider');
  const client = new pg.Client({ connectionString: await system.databaseUrl() });
  await client.connect();
  try {
    providerBalancer.interrupt();
    try {
      await client.query(changeResults);
      await pause(durationMs);
    } finally {
      providerBalancer.resume();
    }
    for (let change = 0; change < laterChanges; change += 1) {
      await client.query(`${changeResults} WHERE id % 10 = $1`, [change % 10]);
      await pause(laterChangePauseMs);
    }
  } finally {
    await client.end();
  }
}

/** As a learner's report changes the time that a registration shows. */
const changeResults = `
  UPDATE provider.registrations
  SET total_seconds = total_seconds + 1, updated_at = clock_timestamp()`;
