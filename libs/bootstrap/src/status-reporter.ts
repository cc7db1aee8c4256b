import { BusClient, BusServer } from '@registrar/bus';
import {
  type AppStatus,
  appStatusReports,
  Failure,
  type ReportingApp,
  reportingApps,
  toTimestamp,
} from '@registrar/contracts';
import { clock, PeriodicTask, productVersion } from '@registrar/platform';
import type { FactoryProvider } from '@nestjs/common';
import { type MetricValue, type MetricValueWithName, Registry } from 'prom-client';
import { randomUUID } from 'node:crypto';

/** The time between two reports, while the process is active and while it is at rest: milliseconds. */
const everyMs = 15_000;
const restMs = 60_000;

export const isReporting = (app: string): app is ReportingApp =>
  reportingApps.some((each) => each === app);

/** Provides the reporter of an app. */
export const statusReporter = (app: ReportingApp): FactoryProvider => ({
  provide: StatusReporter,
  useFactory: (bus: BusClient, server: BusServer, registry: Registry) =>
    new StatusReporter(app, bus, server, registry),
  inject: [BusClient, BusServer, Registry],
});

/** Tells the consoles how this process is, from its metrics. Without a console, nobody receives it. */
class StatusReporter {
  readonly #replica = randomUUID();
  readonly #startedAt = toTimestamp(clock.date());

  constructor(
    private readonly app: ReportingApp,
    private readonly bus: BusClient,
    private readonly server: BusServer,
    private readonly registry: Registry,
  ) {}

  @PeriodicTask({ name: 'report the status', everyMs, restMs, timeoutMs: 10_000 })
  async report(): Promise<void> {
    try {
      await this.bus.announce(appStatusReports[this.app], await this.#status());
    } catch (error) {
      // The next report says the same.
      if (Failure.from(error).code !== 'unavailable') throw error;
    }
  }

  async #status(): Promise<AppStatus> {
    return {
      app: this.app,
      replica: this.#replica,
      version: productVersion,
      startedAt: this.#startedAt,
      requests: await this.#requests(),
      waitingMessages: await this.server.waitingMessages(),
      outbox: await this.#outbox(),
      memoryBytes: process.memoryUsage.rss(),
    };
  }

  async #requests(): Promise<AppStatus['requests']> {
    const isGateway = this.app === 'gateway';
    const values = await this.#valuesOf(
      isGateway ? 'registrar_http_request_seconds' : 'registrar_bus_handler_seconds',
    );
    const buckets = new Map<number, number>();
    let [total, failed, seconds] = [0, 0, 0];
    for (const { metricName, labels, value } of values) {
      if (metricName?.endsWith('_sum')) seconds += value;
      else if (metricName?.endsWith('_count')) {
        total += value;
        if (labels['fault'] === 'server') failed += value;
      } else {
        const upTo = Number(labels['le']);
        if (Number.isFinite(upTo)) buckets.set(upTo, (buckets.get(upTo) ?? 0) + value);
      }
    }
    return {
      total,
      failed: isGateway ? failed : null,
      seconds,
      buckets: [...buckets]
        .map(([upTo, count]) => ({ upTo, count }))
        .sort((a, b) => a.upTo - b.upTo),
    };
  }

  /** Null without an outbox, and while the database does not answer. */
  async #outbox(): Promise<AppStatus['outbox']> {
    const [events, received, oldest] = [
      await this.#valuesOf('registrar_outbox_events'),
      await this.#valuesOf('registrar_parked_events'),
      await this.#valuesOf('registrar_outbox_oldest_seconds'),
    ];
    const inState = (state: string) =>
      events.find(({ labels }) => labels['state'] === state)?.value;
    const [waiting, undelivered] = [inState('waiting'), inState('parked')];
    const [parked, oldestSeconds] = [received[0]?.value, oldest[0]?.value];
    if (
      waiting === undefined ||
      undelivered === undefined ||
      parked === undefined ||
      oldestSeconds === undefined
    ) {
      return null;
    }
    return { waiting, oldestSeconds, parked: parked + undelivered };
  }

  /** None for a metric that the app does not have. */
  async #valuesOf(
    name: string,
  ): Promise<readonly (MetricValue<string> & Partial<MetricValueWithName<string>>)[]> {
    const metric = this.registry.getSingleMetric(name);
    return metric ? (await metric.get()).values : [];
  }
}
