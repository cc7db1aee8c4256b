import { type BusApp, Outbox, type PayloadOf } from '#libs/bus';
import {
  type CrawlOutcome,
  type ProviderRegistration,
  registrationsCrawled,
  registrationsSwept,
  toTimestamp,
} from '#libs/contracts';
import { Database } from '#libs/persistence';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Batch,
  crawlSequence,
  firstSequence,
  type Outcome,
  type Part,
  sweepSequence,
} from './crawl-schedules.ts';

/** How many records an event of the crawler holds at most. */
const parcelSize = 100;

/** Sequences are seconds of this time. */
export const beginning = Date.UTC(2026, 0, 1);

/** After every registration was made. */
const sweepStart = '2100-01-01T00:00:00Z';

export const guidOf = (place: number): string => `registration-${place}`;

/** What a crawl has found. */
interface Found {
  readonly sequence: number;
  readonly outcome: CrawlOutcome;
}

/** Publishes the crawls of a batch as the crawler would, step by step. */
export class DeliverCrawls {
  /** How many events have been handled. */
  events = 0;

  constructor(private readonly crawler: BusApp) {}

  /** All registrations become known. */
  first(applicationId: number, { schedules }: Batch): Promise<void> {
    const found = schedules.map((_, place) => foundOf('crawled', place, firstSequence));
    return this.deliver(applicationId, found, []);
  }

  /** @returns the sweeps that have arrived */
  async part(applicationId: number, batch: Batch, part: Part): Promise<number[]> {
    const { schedules, sweeps, atOnce } = batch;
    const swept: number[] = [];
    const length = Math.max(...schedules.map((schedule) => schedule[part].length));
    for (let step = 0; step < length; step += atOnce) {
      const found = schedules.flatMap((schedule, place) =>
        schedule[part].slice(step, step + atOnce).flatMap((crawl) => {
          const kind = schedule.found[crawl];
          return kind ? [foundOf(kind, place, crawlSequence(crawl))] : [];
        }),
      );
      const its = sweeps[part].slice(step, step + atOnce).filter((sweep) => sweep !== null);
      swept.push(...its);
      await this.deliver(applicationId, found, its);
    }
    return swept;
  }

  /** Resolves when every event has been handled by one of the replicas. */
  private async deliver(
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
    while ((await database.query('SELECT FROM outbox LIMIT 1')).length > 0) await pause(2);
    this.events += crawls.length + sweeps.length;
  }
}

function eventsOf(
  applicationId: number,
  found: readonly Found[],
): PayloadOf<typeof registrationsCrawled>[] {
  const events: PayloadOf<typeof registrationsCrawled>[] = [];
  for (const [sequence, its] of Map.groupBy(found, (each) => each.sequence)) {
    for (let at = 0; at < its.length; at += parcelSize) {
      events.push({
        applicationId,
        realmId: 1,
        sequence,
        crawledAt: toTimestamp(new Date(beginning + sequence * 1000)),
        crawlType: 'course',
        outcomes: its.slice(at, at + parcelSize).map((each) => each.outcome),
      });
    }
  }
  return events;
}

/** The score of a result, and the code of a failure, are the sequence that they come from. */
function foundOf(kind: Outcome, place: number, sequence: number): Found {
  const registrationGuid = guidOf(place);
  switch (kind) {
    case 'crawled':
      return {
        sequence,
        outcome: {
          outcome: kind,
          registrationGuid,
          result: { ...unbegun, registrationGuid, score: sequence },
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

const unbegun: Omit<ProviderRegistration, 'registrationGuid'> = {
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
