import { inProcessTransport } from '@registrar/bus';
import { Database, sql } from '@registrar/persistence';
import * as z from 'zod';
import { createLogger } from '@registrar/platform';
import { createTestDatabase } from '@registrar/testing';
import fc from 'fast-check';
import {
  type Batch,
  batchOf,
  expectedView,
  parts,
  type Schedule,
  type RegistrationView,
} from './crawl-schedules.ts';
import { epochMs, CrawlPublisher, guidOf } from './crawl-publisher.ts';
import { startEnrolmentReplicas } from './enrolment-replicas.ts';

/** A schedule after which the registration did not show the newest result. */
export interface Divergence {
  readonly schedule: Schedule;
  readonly sweeps: Batch['sweeps'];
  readonly expected: RegistrationView;
  readonly shown: RegistrationView | undefined;
}

export interface Convergence {
  /** The seed that generates the same schedules again. */
  readonly seed: number;
  readonly schedules: number;
  readonly events: number;
  readonly diverged: readonly Divergence[];
}

/**
 * Delivers generated schedules of crawl events to two replicas of enrolment, one registration for
 * each schedule, and compares each registration with the newest result that has arrived: first with
 * lost events, then after the replay of all events.
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
  const delivery = new CrawlPublisher(enrolment.crawler);
  const database: Database = enrolment.first.get(Database);
  const diverged: Divergence[] = [];
  try {
    const all = fc.sample(batchOf(batchSize), { numRuns: batches, seed });
    for (const [number, batch] of all.entries()) {
      const applicationId = number + 1;
      const swept: number[] = [];
      await delivery.publishFirst(applicationId, batch);
      for (const part of parts) {
        swept.push(...(await delivery.publishPart(applicationId, batch, part)));
        const shown = await readViews(database, applicationId);
        for (const [place, schedule] of batch.schedules.entries()) {
          const expected = expectedView(schedule.found, schedule[part], swept);
          const its = shown.get(guidOf(place));
          if (!its || !isEqual(its, expected)) {
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

const isEqual = (one: RegistrationView, other: RegistrationView): boolean =>
  (Object.keys(other) as (keyof RegistrationView)[]).every((field) => one[field] === other[field]);

const viewRow = z.object({
  guid: z.string(),
  result: z.number(),
  deleted: z.boolean(),
  error: z.number().nullable(),
  status: z.enum(['success', 'error']),
  crawledAt: z.date(),
  missed: z.boolean(),
});

/** Reads the registrations of an application by their GUIDs. */
async function readViews(
  database: Database,
  applicationId: number,
): Promise<Map<string, RegistrationView>> {
  const rows = await database.many(
    viewRow,
    sql`
      SELECT registration_guid AS guid, score AS result, deleted IS NOT NULL AS deleted,
             provider_errcode::integer AS error, crawl_status AS status,
             last_crawled_at AS "crawledAt", missed
      FROM registrations WHERE provider_application_id = ${applicationId}`,
  );
  return new Map(
    rows.map(({ guid, crawledAt, ...shown }) => {
      const freshness = (crawledAt.getTime() - epochMs) / 1000;
      return [guid, { ...shown, freshness }];
    }),
  );
}
