import { OverLimitLog } from '@registrar/bootstrap';
import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { LimitReached, type LimitName, limitNames, limitTexts } from './limit-reached.ts';

/** Makes the errors of requests beyond a limit, which are counted and logged at an interval. */
@Injectable()
export class OverLimit {
  readonly #log: OverLimitLog<LimitName>;

  constructor(registry: Registry, @Inject(appLogger) logger: Logger) {
    this.#log = new OverLimitLog(limitNames, registry, logger);
  }

  /** The error for a request beyond the limit of an account. */
  refuse(limit: LimitName, account: string, retryAfterSeconds: number): LimitReached {
    const reason = `${account} has reached its limit: ${limitTexts[limit]}`;
    this.#log.record(limit, reason);
    return new LimitReached(limit, reason, retryAfterSeconds);
  }
}
