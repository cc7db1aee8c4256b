import {
  clientAddress,
  failedAccesses,
  FailedAccesses,
  type FailedAccessLimits,
} from '@registrar/bootstrap';
import { appLogger, type Logger } from '@registrar/platform';
import { HttpStatus, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { RetryLater } from './retry-later.ts';

/** `basic`: credentials of an application, in the `Authorization` header; `launch`: a launch link. */
type Mode = 'basic' | 'launch';

/** An access that is being checked. */
type Attempt = Omit<Parameters<FailedAccesses<Mode>['count']>[0], 'address'>;

/** Slows down clients that guess credentials of applications, or forge launch links. */
@Injectable()
export class GuessingGuard {
  readonly #failed: FailedAccesses<Mode>;

  constructor(
    @Inject(failedAccesses) limits: FailedAccessLimits,
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    this.#failed = new FailedAccesses(['basic', 'launch'], limits, registry, logger);
  }

  /**
   * Checks an access by `check`; a failure, null, is returned late when the client guesses.
   *
   * @throws {RetryLater} 503 for a failure while too many answers wait
   */
  async check<Granted>(
    { mode, credentials, account }: Attempt,
    request: FastifyRequest,
    check: () => Promise<Granted | null>,
  ): Promise<Granted | null> {
    const granted = await check();
    if (granted !== null) return granted;
    const address = clientAddress(request.ip);
    this.logger.warn(
      { mode, client_address: address, reason: 'wrong credentials' },
      'request refused',
    );
    const delay = this.#failed.count({ mode, address, account, credentials });
    if (delay !== null && !(await this.#failed.delay(delay))) {
      throw new RetryLater(
        'Too many requests of this client had wrong credentials. Try again later.',
        HttpStatus.SERVICE_UNAVAILABLE,
      );
    }
    return null;
  }
}
