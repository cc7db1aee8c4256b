import { OverLimitLog } from '@registrar/bootstrap';
import { Failure, type FailureCode } from '@registrar/contracts';
import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/**
 * A request that is rejected to protect others. Whoever rejects it counts it and logs at an interval:
 * a line for each would add to the load.
 */
export class ShedRequest extends Failure {
  constructor(
    code: Extract<FailureCode, 'overloaded' | 'over-limit'>,
    message: string,
    retryAfterSeconds: number,
  ) {
    super(code, message, undefined, { retryAfterSeconds });
  }
}

/** What a client has too much of: a label of `registrar_http_over_limit_total`, and its text in the log. */
const limitTexts = {
  address: 'requests per second',
  realm: 'requests per second',
  key: 'requests per second',
  'in-hand': 'requests that are worked on or wait',
  postbacks: 'postbacks per second, or that wait',
} as const;
type LimitName = keyof typeof limitTexts;
const limitNames = Object.keys(limitTexts) as LimitName[];

/** Makes the errors of requests beyond a limit, which are counted and logged at an interval. */
@Injectable()
export class OverLimit {
  readonly #log: OverLimitLog<LimitName>;

  constructor(registry: Registry, @Inject(appLogger) logger: Logger) {
    this.#log = new OverLimitLog(limitNames, registry, logger);
  }

  /** The error for a request beyond the limit of an account. */
  refuse(limit: LimitName, account: string, retryAfterSeconds: number): ShedRequest {
    const reason = `${account} has reached its limit: ${limitTexts[limit]}`;
    this.#log.record(limit, reason);
    return new ShedRequest('over-limit', reason, retryAfterSeconds);
  }
}
