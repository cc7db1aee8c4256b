import type { Logger } from '@registrar/platform';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';

/** The shortest time between two log lines with one reason, and how many reasons that is kept of. */
const logIntervalMs = 10_000;
const maxLoggedReasons = 1_000;

/** Counts requests beyond a limit of their client, and logs whose they are. */
export class OverLimitLog<Limit extends string> {
  readonly #overLimit: Counter<'limit'>;
  readonly #logged = new LRUCache<string, true>({ max: maxLoggedReasons, ttl: logIntervalMs });

  /** @param limits the values of the label `limit` */
  constructor(
    limits: readonly Limit[],
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.#overLimit = new Counter({
      name: 'registrar_http_over_limit_total',
      help: 'Requests rejected because their address, realm, key or provider application had reached its limit.',
      labelNames: ['limit'],
      registers: [registry],
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const limit of limits) this.#overLimit.inc({ limit }, 0);
  }

  /** Counts a request; the log has each reason at an interval. */
  record(limit: Limit, reason: string): void {
    this.#overLimit.inc({ limit });
    if (this.#logged.has(reason)) return;
    this.#logged.set(reason, true);
    this.logger.warn({ reason }, 'requests are refused: over a limit');
  }
}
