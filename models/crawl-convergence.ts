import { inProcessTransport } from '#libs/bus';
import { Database } from '#libs/persistence';
import { createLogger } from '#libs/platform';
import { createTestDatabase } from '#libs/testing';
import fc from 'fast-check';
import {
  type Batch,
  batchOf,
  newestOf,
  parts,
  type Schedule,
  type Shown,
} from './crawl-schedules.ts';
import { beginning, DeliverCrawls, guidOf } from './deliver-crawls.ts';
import { startEnrolmentReplicas } from './enrolment-replicas.ts';

/** A schedule that did not end in the newest. */
export interface Divergence {
  readonly schedule: Schedule;
  readonly sweeps: Batch['sweeps'];
  readonly expected: Shown;
  readonly shown: Shown | undefined;
}

export interface Convergence {
  /** Makes the same schedules again. */
  readonly seed: number;
  readonly schedules: number;
  readonly events: number;
  readonly diverged: readonly Divergence[];
}

/**
 * Delivers generated schedules of crawl events to two replicas of enrolment, each schedule to a
 * registration of its own, and compares what is shown with the newest that has arrived: once while
 * some of it is lost, and once after the replay of everything.
 */
export async function testConvergence(
  { batches, batchSize }: { batches: number; batchSize: number },
  seed = Date.now(),
): Promise<Convergence> {
  const server = await createTestDatabase();
  const enrolment = await startEnrolmentReplicas(2, {
    databaseUrl: server.url,
    transport: inProcessTransport(),
    logger: createLogger('models', 'fatal'),
  });
  const delivery = new DeliverCrawls(enrolment.crawler);
  const database: Database = enrolment.first.get(Database);
  const diverged: Divergence[] = [];
  try {
    const all = fc.sample(batchOf(batchSize), { numRuns: batches, seed });
    for (const [number, batch] of all.entries()) {
      const applicationId = number + 1;
      const swept: number[] = [];
      await delivery.first(applicationId, batch);
      for (const part of parts) {
        swept.push(...(await delivery.part(applicationId, batch, part)));
        const shown = await shownIn(database, applicationId);
        for (const [place, schedule] of batch.schedules.entries()) {
          const expected = newestOf(schedule.found, schedule[part], swept);
          const its = shown.get(guidOf(place));
          if (!its || !isSame(its, expected)) {
            diverged.push({ schedule, sweeps: batch.sweeps, expected, shown: its });
          }
        }
      }
    }
    return { seed, schedules: batches * batchSize, events: delivery.events, diverged };
  } finally {
    await enrolment.stop();
    await server.drop();
  }
}

const isSame = (one: Shown, other: Shown): boolean =>
  (Object.keys(other) as (keyof Shown)[]).every((field) => one[field] === other[field]);

/** By the GUIDs of an application's registrations. */
async function shownIn(database: Database, applicationId: number): Promise<Map<string, Shown>> {
  const rows = await database.query<Shown & { guid: string; crawledAt: Date }>(
    `SELECT registration_guid AS guid, score AS result, deleted IS NOT NULL AS deleted,
            provider_errcode::integer AS error, crawl_status AS status,
            last_crawled_at AS "crawledAt", missed
     FROM registrations WHERE provider_application_id = $1`,
    [applicationId],
  );
  return new Map(
    rows.map(({ guid, crawledAt, ...shown }) => {
      const freshness = (crawledAt.getTime() - beginning) / 1000;
      return [guid, { ...shown, freshness }];
    }),
  );
}
