import { type AppStatus, type ReportingApp, reportingApps } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { appLogger, clock, type Logger } from '@registrar/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import * as z from 'zod';
import { ConsoleDatabase } from '../console-database.ts';
import { type ConsoleSettings, consoleSettingsToken } from '../settings.ts';
import type { AppOverview, History, OutboxOverview, Sample } from './overview.ts';
import { readPrometheus } from './prometheus.ts';
import { countsBetween, quantileMs, type RequestCounts, sumOfCounts } from './request-counts.ts';
import { SampleRing } from './sample-ring.ts';

/** A process that has not reported for so long has stopped: two reports at rest were missed. */
const forgottenAfterMs = 150_000;

/** A process at rest reports every minute. */
const heardAfterMs = 75_000;

/** The most processes that are remembered. */
const maxReplicas = 500;

/** The apps that every installation has. */
const requiredApps = reportingApps.filter((app) => app !== 'console');

const minuteMs = 60_000;
const fiveMinutesMs = 300_000;

interface Report {
  readonly status: AppStatus;
  /** When it arrived: milliseconds since the epoch. */
  readonly at: number;
}

interface Replica {
  readonly last: Report;
  /** Between the last two reports; null before the second. */
  readonly counts: RequestCounts | null;
}

const sample = z.object({
  requestsPerSecond: z.number().nullable(),
  failuresPerSecond: z.number().nullable(),
  p95Ms: z.number().nullable(),
  outboxWaiting: z.number().nullable(),
  outboxOldestSeconds: z.number().nullable(),
  parkedEvents: z.number().nullable(),
});
const sampleRow = z.object({ at: z.date(), sample });

/**
 * What the apps of the installation report of themselves. The samples of the last hour are kept in memory, and those of the
 * last day in the database too: one row for five minutes, whichever console writes it first.
 */
@Injectable()
export class Installation implements OnModuleInit {
  readonly #replicas = new Map<string, Replica>();
  readonly #minutes = new SampleRing(minuteMs, 60);
  readonly #fiveMinutes = new SampleRing(fiveMinutesMs, 288);
  readonly #startedAt = clock.now();

  constructor(
    private readonly database: ConsoleDatabase,
    @Inject(consoleSettingsToken) private readonly settings: ConsoleSettings,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const kept = await this.database.many(
      sampleRow,
      sql`SELECT taken_at AS at, sample FROM samples
          WHERE taken_at > now() - interval '1 day' ORDER BY taken_at`,
    );
    for (const { at, sample: values } of kept) {
      this.#fiveMinutes.restore({ at: at.toISOString(), ...values });
    }
  }

  /** Takes a report. */
  note(status: AppStatus): void {
    const now = clock.now();
    this.#forget(now);
    const { replica } = status;
    const before = this.#replicas.get(replica);
    if (!before && this.#replicas.size >= maxReplicas) return;
    const last = { status, at: now };
    const counts = before ? countsBetween(before.last, last) : null;
    this.#replicas.set(replica, { last, counts });
    // Samples are of what clients see: the gateway.
    const served = status.app === 'gateway' ? counts : null;
    const outbox = outboxOf([...this.#replicas.values()]);
    this.#minutes.add(now, served, outbox);
    const complete = this.#fiveMinutes.add(now, served, outbox);
    if (complete) void this.#keep(complete);
  }

  apps(): AppOverview[] {
    this.#forget(clock.now());
    const running = [...this.#replicas.values()];
    return reportingApps
      .map((app) => overviewOf(app, running))
      .filter(({ app, replicas }) => requiredApps.includes(app as never) || replicas.length > 0);
  }

  /** Whether every process that runs must have reported to this console. */
  get hasHeardAll(): boolean {
    return clock.now() - this.#startedAt > heardAfterMs;
  }

  /** From Prometheus where there is one, and it answers. */
  async history(): Promise<{
    readonly source: 'samples' | 'prometheus';
    readonly hour: History;
    readonly day: History;
  }> {
    const { PROMETHEUS_URL: url } = this.settings;
    if (url !== undefined) {
      try {
        const [hour, day] = [
          await readPrometheus(url, { stepSeconds: 60, steps: 60 }),
          await readPrometheus(url, { stepSeconds: 300, steps: 288 }),
        ];
        return { source: 'prometheus', hour, day };
      } catch (error) {
        const reason = (error as Error).message;
        this.logger.warn({ reason }, 'Prometheus does not answer: the samples are shown');
      }
    }
    return { source: 'samples', hour: this.#minutes.history(), day: this.#fiveMinutes.history() };
  }

  #forget(now: number): void {
    for (const [replica, { last }] of this.#replicas) {
      if (now - last.at > forgottenAfterMs) this.#replicas.delete(replica);
    }
  }

  async #keep({ at, ...values }: Sample): Promise<void> {
    try {
      await this.database.execute(
        sql`WITH old AS (DELETE FROM samples WHERE taken_at < now() - interval '1 day')
            INSERT INTO samples (taken_at, sample)
            VALUES (${at}::timestamptz, ${JSON.stringify(values)}::jsonb) ON CONFLICT DO NOTHING`,
      );
    } catch (error) {
      this.logger.warn({ err: error }, 'a sample of the installation was not kept');
    }
  }
}

function overviewOf(app: ReportingApp, all: readonly Replica[]): AppOverview {
  const own = all.filter(({ last }) => last.status.app === app);
  const counted = own.flatMap(({ counts }) => counts ?? []);
  const sum = sumOfCounts(counted);
  const perSecond = (of: (each: RequestCounts) => number) =>
    counted.reduce((rate, each) => rate + of(each) / Math.max(each.seconds, 1), 0);
  return {
    app,
    replicas: own.map(({ last: { status, at } }) => ({
      replica: status.replica,
      version: status.version,
      startedAt: status.startedAt,
      seenAt: new Date(at).toISOString(),
      memoryBytes: status.memoryBytes,
    })),
    requestsPerSecond: counted.length > 0 ? perSecond(({ total }) => total) : null,
    failuresPerSecond: sum.failed === null ? null : perSecond(({ failed }) => failed ?? 0),
    p95Ms: quantileMs(sum, 0.95),
    waitingMessages: waitingMessagesOf(own),
    outbox: outboxOf(own),
  };
}

/** All replicas of a context have the same queue: the last report that knows it counts. */
function waitingMessagesOf(replicas: readonly Replica[]): number | null {
  const known = replicas
    .map(({ last }) => last)
    .filter(({ status }) => status.waitingMessages !== null)
    .sort((a, b) => b.at - a.at);
  return known[0]?.status.waitingMessages ?? null;
}

/** All replicas of a context see the same outbox: the last report of each context counts. */
function outboxOf(replicas: readonly Replica[]): OutboxOverview | null {
  const latest = new Map<ReportingApp, Report>();
  for (const { last } of replicas) {
    const { app, outbox } = last.status;
    if (outbox !== null && last.at >= (latest.get(app)?.at ?? 0)) latest.set(app, last);
  }
  if (latest.size === 0) return null;
  const all = [...latest.values()].flatMap(({ status }) => status.outbox ?? []);
  return {
    waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestSeconds: Math.max(...all.map(({ oldestSeconds }) => oldestSeconds)),
    parked: all.reduce((sum, { parked }) => sum + parked, 0),
  };
}
