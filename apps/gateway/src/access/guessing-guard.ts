import { clientNetwork, FailedAccesses, type FailedAccessLimits } from '@registrar/bootstrap';
import { type Credentials, Failure } from '@registrar/contracts';
import { appLogger, currentRequestContext, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Registry } from 'prom-client';
import { SlowedRefusal } from './slowed-refusal.ts';

/** Injects {@link FailedAccessLimits}. */
export const failedAccesses = Symbol('limits of failed accesses');

/** The network of the current request's client. Clients whose address a proxy hides are one. */
const currentNetwork = () => clientNetwork(currentRequestContext()?.clientAddress ?? 'unknown');

/** Slows down clients that guess credentials (contract/access#guessing). */
@Injectable()
export class GuessingGuard {
  readonly #failed: FailedAccesses<Credentials['mode']>;

  constructor(
    @Inject(failedAccesses) limits: FailedAccessLimits,
    registry: Registry,
    @Inject(appLogger) logger: Logger,
  ) {
    const modes = ['api_key', 'realm', 'provider'] as const;
    this.#failed = new FailedAccesses(modes, limits, registry, logger);
  }

  /**
   * Checks credentials by `resolve`.
   *
   * @param hash of the credentials
   * @throws {Failure} `over-limit` without a check, for a client with too many failures; the failure
   * of `resolve`, as a {@link SlowedRefusal} if its answer is to be delayed
   */
  async check<Scope>(
    credentials: Credentials,
    hash: string,
    resolve: () => Promise<Scope>,
  ): Promise<Scope> {
    const network = currentNetwork();
    if (this.#failed.refuses(network, hash)) throw tooManyFailures();
    try {
      const scope = await resolve();
      this.#failed.succeeded(hash);
      return scope;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unauthenticated') throw error;
      const { mode } = credentials;
      const account = accountOf(credentials);
      const delayMs = this.#failed.failed({ mode, network, account, credentials: hash });
      throw delayMs === 0 ? error : new SlowedRefusal(error, network, delayMs);
    }
  }

  /** Waits before a refusal is answered; resolves with the failure to answer with. */
  async delay(refusal: SlowedRefusal): Promise<Failure> {
    const { network, delayMs } = refusal;
    return (await this.#failed.delay(network, delayMs)) ? refusal : tooManyFailures();
  }
}

const tooManyFailures = () =>
  new Failure('over-limit', 'too many accesses of this client failed: it guesses credentials');

/** Whom a pair names, hashed: what a client sends may be long. */
function accountOf(credentials: Credentials): string | null {
  if (credentials.mode === 'api_key') return null;
  const name = credentials.mode === 'realm' ? credentials.guid : credentials.appId;
  return createHash('sha256').update(`${credentials.mode} ${name}`).digest('base64');
}
