import { failedAccesses, FailedAccesses, type FailedAccessLimits } from '@registrar/bootstrap';
import { type Credentials, Failure } from '@registrar/contracts';
import { appLogger, currentRequestContext, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { DelayedRefusal } from './delayed-refusal.ts';

/** The credentials of a postback as far as failures are counted by them. */
interface PostbackCredentials {
  readonly mode: 'postback';
  readonly applicationId: number;
}
type CountedCredentials = Credentials | PostbackCredentials;

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
   * Checks credentials by `resolve`, and counts a failure of it that is a guess.
   *
   * @param hash of the credentials
   * @throws {Failure} that of `resolve`, as a {@link DelayedRefusal} if its answer is to be delayed
   */
  async check<Scope>(
    credentials: CountedCredentials,
    hash: string,
    resolve: () => Promise<Scope>,
  ): Promise<Scope> {
    try {
      return await resolve();
    } catch (error) {
      if (!isGuess(error)) throw error;
      const delay = this.#failed.count({
        mode: credentials.mode,
        address: currentRequestContext()?.clientAddress,
        account: accountOf(credentials),
        credentials: hash,
      });
      throw delay === null ? error : new DelayedRefusal(error, delay);
    }
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
