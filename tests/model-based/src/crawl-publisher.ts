import type { TestBusApp } from '@registrar/bus/testing';
import { Outbox, type PayloadOf } from '@registrar/bus';
import {
  type CrawlOutcome,
  type ProviderRegistration,
  registrationsCrawled,
  registrationsSwept,
  toTimestamp,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import * as z from 'zod';
import { eventually } from '@registrar/testing';
import {
  type Batch,
  crawlSequence,
  firstSequence,
  type Outcome,
  type Part,
  sweepSequence,
} from './crawl-schedules.ts';

/** Maximum number of outcomes in an event of the crawler. */
const maxOutcomesPerEvent = 100;

/** The time of sequence 0; a sequence is a number of seconds after it. */
export const epochMs = Date.UTC(2026, 0, 1);

/** A time after the creation of every registration. */
const sweepStart = '2100-01-01T00:00:00Z';

export const guidOf = (place: number): string => `registration-${place}`;

/** The outcome of a crawl for one registration. */
interface Found {
  readonly sequence: number;
  readonly outcome: CrawlOutcome;
}

/** Publishes the crawls of a batch as the crawler does, step by step. */
export class CrawlPublisher {
  /** Number of handled events. */
  events = 0;

  constructor(private readonly crawler: TestBusApp) {}

  /** Publishes the first crawl, which creates all registrations. */
  publishFirst(applicationId: number, { schedules }: Batch): Promise<void> {
    const found = schedules.map((_, place) => foundOf('crawled', place, firstSequence));
    return this.publish(applicationId, found, []);
  }

  /**
   * Publishes a part of a batch.
   *
   * @returns the sweeps that were published
   */
  async publishPart(applicationId: number, batch: Batch, part: Part): Promise<number[]> {
    const { schedules, sweeps, concurrency } = batch;
    const swept: number[] = [];
    const length = Math.max(...schedules.map((schedule) => schedule[part].length));
    for (let step = 0; step < length; step += concurrency) {
      const found = schedules.flatMap((schedule, place) =>
        schedule[part].slice(step, step + concurrency).flatMap((crawl) => {
          const kind = schedule.found[crawl];
          return kind ? [foundOf(kind, place, crawlSequence(crawl))] : [];
        }),
      );
      const its = sweeps[part].slice(step, step + concurrency).filter((sweep) => sweep !== null);
      swept.push(...its);
      await this.publish(applicationId, found, its);
    }
    return swept;
  }

  /** Publishes events and waits until a replica has handled each of them. */
  private async publish(
    applicationId: number,
    found: readonly Found[],
    swept: readonly number[],
  ): Promise<void> {
    const crawls = eventsOf(applicationId, found);
    const sweeps = swept.map((sweep) => {
      return { applicationId, sequence: sweepSequence(sweep), startedAt: sweepStart };
    });
    const outbox: Outbox = this.crawler.get(Outbox);
    const database: Database = this.crawler.get(Database);
    await database.transaction(async () => {
      await outbox.publishAll(registrationsSwept, sweeps);
      await outbox.publishAll(registrationsCrawled, crawls);
    });
    await eventually(
      'the outbox is empty',
      async () => (await database.many(z.object({}), sql`SELECT FROM outbox LIMIT 1`)).length === 0,
      { intervalMs: 2 },
    );
    this.events += crawls.length + sweeps.length;
  }
}

function eventsOf(
  applicationId: number,
  found: readonly Found[],
): PayloadOf<typeof registrationsCrawled>[] {
  const events: PayloadOf<typeof registrationsCrawled>[] = [];
  for (const [sequence, its] of Map.groupBy(found, (each) => each.sequence)) {
    for (let at = 0; at < its.length; at += maxOutcomesPerEvent) {
      events.push({
        applicationId,
        realmId: 1,
        sequence,
        crawledAt: toTimestamp(new Date(epochMs + sequence * 1000)),
        crawlType: 'course',
        outcomes: its.slice(at, at + maxOutcomesPerEvent).map((each) => each.outcome),
      });
    }
  }
  return events;
}

/** Returns an outcome whose score or error code is the sequence of its crawl. */
function foundOf(kind: Outcome, place: number, sequence: number): Found {
  const registrationGuid = guidOf(place);
  switch (kind) {
    case 'crawled':
      return {
        sequence,
        outcome: {
          outcome: kind,
          registrationGuid,
          result: { ...emptyResult, registrationGuid, score: sequence },
          digest: sequence.toString(16).padStart(32, '0'),
        },
      };
    case 'deleted':
      return { sequence, outcome: { outcome: kind, registrationGuid } };
    case 'failed': {
      const errorCode = `${sequence}`;
      const errorMessage = `failed in ${sequence}`;
      return { sequence, outcome: { outcome: kind, registrationGuid, errorCode, errorMessage } };
    }
  }
}

const emptyResult: Omit<ProviderRegistration, 'registrationGuid'> = {
  courseGuid: 'swimming',
  courseTitle: 'Swimming',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' },
  completion: 'incomplete',
  success: 'unknown',
  score: null,
  totalSeconds: 0,
  attempts: 1,
  createdAt: '2026-01-01T10:00:00Z',
  updatedAt: null,
  completedAt: null,
  accessedAt: null,
  activity: null,
};
