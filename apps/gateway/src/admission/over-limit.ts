import { OverLimitLog } from '@registrar/bootstrap';
import { Failure, type FailureCode } from '@registrar/contracts';
import { appLogger, clock, type Logger } from '@registrar/platform';
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
    const { stackTraceLimit } = Error;
    // Nobody reads the stack, and to capture it takes longer than to refuse the request.
    Error.stackTraceLimit = 0;
    super(code, message, undefined, { retryAfterSeconds });
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Whether a request was beyond a limit of whoever sent it. */
export const isOverLimit = (error: unknown): error is ShedRequest =>
  error instanceof ShedRequest && error.code === 'over-limit';

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

/**
 * How long the answer to a user's request beyond a limit waits: the programs of one person that repeat their requests at
 * once would otherwise fill the event loop with refusals. Random, so that requests that came together do not return
 * together.
 */
const answerDelayMs = { least: 800, most: 1_600 };
/** How many answers wait at a time. Each holds its connection and its head; more are answered at once. */
const maxWaitingAnswers = 1_000;

/** Makes the errors of requests beyond a limit, which are counted and logged at an interval. */
@Injectable()
export class OverLimit {
  readonly #log: OverLimitLog<LimitName>;
  #waitingAnswers = 0;

  constructor(registry: Registry, @Inject(appLogger) logger: Logger) {
    this.#log = new OverLimitLog(limitNames, registry, logger);
  }

  /** The error for a request beyond the limit of an account. */
  refuse(limit: LimitName, account: string, retryAfterSeconds: number): ShedRequest {
    const reason = `${account} has reached its limit: ${limitTexts[limit]}`;
    this.#log.record(limit, reason);
    return new ShedRequest('over-limit', reason, retryAfterSeconds);
  }

  /** Waits before a refusal is answered, if there is room; resolves with the failure to answer with. */
  async delay(refusal: ShedRequest): Promise<ShedRequest> {
    if (this.#waitingAnswers >= maxWaitingAnswers) return refusal;
    this.#waitingAnswers += 1;
    const { least, most } = answerDelayMs;
    await clock.sleep(least + Math.random() * (most - least));
    this.#waitingAnswers -= 1;
    return refusal;
  }
}
