import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Registry } from 'prom-client';
import { LimitReached, type LimitName, limitNames, limitTexts } from './limit-reached.ts';

/** The shortest time between two log lines about one account, and how many accounts that is kept of. */
const logIntervalMs = 10_000;
const maxLoggedAccounts = 1_000;

/** Counts requests beyond a limit, and logs whose they are. */
@Injectable()
export class OverLimitLog {
  readonly #overLimit: Counter<'limit'>;
  readonly #logged = new LRUCache<string, true>({ max: maxLoggedAccounts, ttl: logIntervalMs });

  constructor(
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    this.#overLimit = new Counter({
      name: 'registrar_http_over_limit_total',
      help: 'Requests rejected with 503 because their address, realm or key had reached its limit.',
      labelNames: ['limit'],
      registers: [registry],
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const limit of limitNames) this.#overLimit.inc({ limit }, 0);
  }

  /** The error for a request beyond the limit of an account; counted, and logged at an interval. */
  refuse(limit: LimitName, account: string, retryAfterSeconds: number): LimitReached {
    this.#overLimit.inc({ limit });
    const key = `${limit} ${account}`;
    const reason = `${account} has reached its limit: ${limitTexts[limit]}`;
    if (!this.#logged.has(key)) {
      this.#logged.set(key, true);
      this.logger.warn({ reason }, 'requests are refused: over a limit');
    }
    return new LimitReached(limit, reason, retryAfterSeconds);
  }
}
