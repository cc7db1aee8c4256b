import { randomUUID } from 'node:crypto';
import { BusClient } from '@registrar/bus';
import { demandLifetimeMs, Failure, maxReportedAccounts, reportDemand } from '@registrar/contracts';
import { appLogger, type Logger, runInRequestContext } from '@registrar/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** How often a gateway reports while there are requests, and how long a report may take. */
const reportIntervalMs = 500;
const reportTimeoutMs = 1_000;

/** The demand of more accounts within one interval is not counted. */
const maxCountedAccounts = 20_000;

/** Requests per second on one account, as the last report had them. */
interface Demand {
  readonly own: number;
  readonly others: number;
}

/**
 * Divides limits among the gateways: each gets the part of a limit that it has of the demand. A
 * gateway learns the demand of the others when it reports its own to identity. Without a recent
 * reply it takes the whole limit for itself.
 */
@Injectable()
export class SharedDemand implements BeforeApplicationShutdown {
  readonly #gateway = randomUUID();
  readonly #demand = new LRUCache<string, Demand>({
    max: maxCountedAccounts,
    ttl: demandLifetimeMs,
  });
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #report: Promise<void> = Promise.resolve();
  #countedSince = 0;

  constructor(
    private readonly bus: BusClient,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Counts a request, whether it is admitted or not. */
  count(account: string): void {
    const counted = this.#counts.get(account) ?? 0;
    if (counted === 0 && this.#counts.size >= maxCountedAccounts) return;
    this.#counts.set(account, counted + 1);
    if (this.#timer) return;
    // The beginning of a busy time counts as an interval, so that one request is no great demand.
    this.#countedSince = Date.now();
    this.#timer = setTimeout(() => this.#nextReport(), reportIntervalMs).unref();
  }

  /** This gateway's part of a limit on the account: above 0, and 1 if no other gateway has demand. */
  shareOf(account: string): number {
    const { own, others } = this.#demand.get(account) ?? { own: 0, others: 0 };
    return (own + 1) / (own + others + 1);
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#report;
  }

  #nextReport(): void {
    const seconds = Math.max(reportIntervalMs, Date.now() - this.#countedSince) / 1_000;
    const counts = this.#counts;
    this.#counts = new Map();
    this.#timer = null;
    const demand = [...counts]
      .sort(([, one], [, other]) => other - one)
      .slice(0, maxReportedAccounts)
      .map(([account, count]) => ({ account, requestsPerSecond: count / seconds }));
    const context = { requestId: randomUUID(), deadline: Date.now() + reportTimeoutMs };
    this.#report = runInRequestContext(context, async () => {
      try {
        const { others } = await this.bus.request(reportDemand, { gateway: this.#gateway, demand });
        this.#learn(demand, others);
      } catch (error) {
        const { code, message: reason } = Failure.from(error);
        this.logger.debug({ code, reason }, 'the demand could not be reported');
      }
    });
  }

  #learn(
    demand: readonly { account: string; requestsPerSecond: number }[],
    others: readonly { account: string; requestsPerSecond: number }[],
  ): void {
    const ofOthers = new Map(
      others.map(({ account, requestsPerSecond }) => [account, requestsPerSecond]),
    );
    for (const { account, requestsPerSecond: own } of demand) {
      this.#demand.set(account, { own, others: ofOthers.get(account) ?? 0 });
    }
  }
}
