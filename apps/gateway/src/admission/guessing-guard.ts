import {
  type AnswerDelay,
  failedAccesses,
  FailedAccesses,
  type FailedAccessLimits,
} from '@registrar/bootstrap';
import { type Credentials, Failure } from '@registrar/contracts';
import { appLogger, currentRequestContext, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/**
 * Wrong credentials. The log states whether the account exists, and the client reads {@link shownReason}, which is the
 * same for both (contract/access#cause-of-401).
 */
export class WrongCredentials extends Failure {
  readonly shownReason: string;

  constructor(refusal: Failure, mode: CountedCredentials['mode']) {
    super(refusal.code, refusal.message);
    this.shownReason = shownReasons[mode];
  }
}

const shownReasons: Readonly<Record<CountedCredentials['mode'], string>> = {
  api_key: 'no API key has this token: it is mistyped, was deleted, or is of another installation',
  realm: 'no realm has this realm_guid and this realm_secret_key',
  provider: 'no provider application has this sc_app_id and this sc_secret_key',
  postback: 'the credentials of the postback are wrong',
};

/** Wrong credentials of a client that guesses. The answer is delayed, and holds no slot meanwhile. */
export class DelayedRefusal extends WrongCredentials {
  constructor(
    refusal: Failure,
    mode: CountedCredentials['mode'],
    readonly delay: AnswerDelay,
  ) {
    super(refusal, mode);
  }
}

/** Credentials, those of a postback as far as failures are counted by them. */
type CountedCredentials =
  | Credentials
  | { readonly mode: 'postback'; readonly applicationId: number };

/** Slows down clients that guess credentials (contract/access#guessing). */
@Injectable()
export class GuessingGuard {
  readonly #failed: FailedAccesses<CountedCredentials['mode']>;

  constructor(
    @Inject(failedAccesses) limits: FailedAccessLimits,
    registry: Registry,
    @Inject(appLogger) logger: Logger,
  ) {
    const modes = ['api_key', 'realm', 'provider', 'postback'] as const;
    this.#failed = new FailedAccesses(modes, limits, registry, logger);
  }

  /**
   * Counts credentials that were refused, if they are a guess.
   *
   * @param hash of the credentials
   * @param error why they were refused
   * @returns the error to respond with: {@link WrongCredentials} for a guess, as a {@link DelayedRefusal} if the answer
   * is to be delayed
   */
  countFailure(credentials: CountedCredentials, hash: string, error: unknown): unknown {
    if (!isGuess(error)) return error;
    const { mode } = credentials;
    const delay = this.#failed.count({
      mode,
      address: currentRequestContext()?.clientAddress,
      account: accountOf(credentials),
      credentials: hash,
    });
    return delay === null
      ? new WrongCredentials(error, mode)
      : new DelayedRefusal(error, mode, delay);
  }

  /** Waits before a refusal is answered; resolves with the failure to answer with. */
  async delay(refusal: DelayedRefusal): Promise<Failure> {
    const hasWaited = await this.#failed.delay(refusal.delay);
    return hasWaited
      ? refusal
      : new Failure(
          'over-limit',
          'too many accesses of this client failed: it guesses credentials',
        );
  }
}

/** Credentials that identity recognizes, such as an expired API key, are no guess. */
const isGuess = (error: unknown): error is Failure =>
  error instanceof Failure && error.code === 'unauthenticated' && !error.credentialsKnown;

/** Whom a pair or a postback names. */
function accountOf(credentials: CountedCredentials): string | null {
  switch (credentials.mode) {
    case 'api_key':
      return null;
    case 'realm':
      return `realm ${credentials.guid}`;
    case 'provider':
      return `provider ${credentials.appId}`;
    case 'postback':
      return `postback ${credentials.applicationId}`;
  }
}
