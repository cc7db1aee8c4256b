import { Failure } from '@registrar/contracts';
import { CourseProviderDirectory, CourseProviderError } from '@registrar/course-provider';
import {
  appLogger,
  clock,
  exponentialDelay,
  isProgrammingError,
  logFailedWork,
  type Logger,
  PeriodicTask,
} from '@registrar/platform';
import { sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { CreateAtProvider, isRefusal } from './create-at-provider.ts';
import { earlierDeadline, withEarlierDeadline } from './earlier-deadline.ts';
import { initializationDelay } from './initialization-delay.ts';
import {
  type ClaimedRegistration,
  InitializationQueue,
  type Postponement,
} from './initialization-queue.ts';
import { type RegistrationKey } from './registration-key.ts';

/** How many registrations of an application are created concurrently. */
export const concurrency = 10;
/** How many registrations one statement claims. */
const chunkSize = 100;

/** The share of the remaining time that calls of the provider get; saving outcomes gets the rest. */
export const providerShare = 3 / 4;

/** How long this process skips an application whose provider is unavailable, doubled each time. */
const pauseMsRange = { first: 2_000, longest: 30_000 };

/** Why this process skips an application, and until when: milliseconds since the epoch. */
interface Pause {
  readonly until: number;
  readonly failures: number;
  readonly realmId: number;
  /** The provider does not accept the credentials. */
  readonly unauthorized: boolean;
}

/** The outcome of an attempt: `error` is null if the provider holds the registration. */
export interface Attempt {
  readonly registration: ClaimedRegistration;
  readonly error: Failure | null;
  /** False if an error of the whole application ended the work before this registration's turn. */
  readonly started: boolean;
}

/** Returns whether other registrations of the application would meet the same error. */
const affectsApplication = (error: Failure): boolean =>
  error instanceof CourseProviderError
    ? !['refused', 'not-found'].includes(error.fault.kind)
    : !isProgrammingError(error);

/**
 * Creates queued registrations at the provider. The start of each attempt is stored before its
 * first call, so that the next attempt checks whether the registration exists at the provider.
 */
@Injectable()
export class InitializeRegistrations {
  readonly #paused = new Map<number, Pause>();

  constructor(
    private readonly providers: CourseProviderDirectory,
    private readonly atProvider: CreateAtProvider,
    private readonly queue: InitializationQueue,
    private readonly confirmRegistrations: ConfirmRegistrations,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Attempts a batch of due registrations and returns its size. */
  @PeriodicTask({
    name: 'initialize registrations',
    everyMs: 5_000,
    restMs: 20_000,
    timeoutMs: 30_000,
  })
  async initializeDue(): Promise<number> {
    const now = clock.now();
    const paused = [...this.#paused].filter(([, { until }]) => until > now).map(([id]) => id);
    const due = await this.queue.claimDue(paused);
    await this.attempt(due, earlierDeadline(providerShare));
    return due.length;
  }

  /** Ends the pauses of a realm's applications whose credentials were refused, and retries their registrations. */
  async retryUnauthorized(realmId: number): Promise<void> {
    const paused = [...this.#paused]
      .filter(([, pause]) => pause.unauthorized && pause.realmId === realmId)
      .map(([applicationId]) => applicationId);
    for (const applicationId of paused) this.#paused.delete(applicationId);
    await this.queue.retryFailed(paused, sql`now()`);
  }

  /**
   * Attempts these registrations now, as many as the deadline permits; the others stay queued.
   *
   * @returns the outcomes of those that were attempted
   */
  async initialize(registrations: readonly RegistrationKey[]): Promise<Attempt[]> {
    const deadline = earlierDeadline(providerShare);
    const attempts: Attempt[] = [];
    for (let start = 0; start < registrations.length; start += chunkSize) {
      if (clock.now() >= (deadline ?? Infinity)) break;
      const claimed = await this.queue.claim(registrations.slice(start, start + chunkSize));
      attempts.push(...(await this.attempt(claimed, deadline)));
      if (attempts.some((attempt) => !attempt.started)) break;
    }
    return attempts;
  }

  private async attempt(
    claimed: readonly ClaimedRegistration[],
    deadline: number | null,
  ): Promise<Attempt[]> {
    const byApplication = Map.groupBy(claimed, (registration) => registration.applicationId);
    const attempts = await withEarlierDeadline(deadline, () =>
      Promise.all(
        [...byApplication].map(([applicationId, registrations]) =>
          this.createForApplication(applicationId, registrations),
        ),
      ),
    );
    await this.saveOutcomes(attempts.flat());
    return attempts.flat();
  }

  /** Creates the registrations of one application until an error affects all of them. */
  private async createForApplication(
    applicationId: number,
    claimed: readonly ClaimedRegistration[],
  ): Promise<Attempt[]> {
    let fault: Failure | null = null;
    const limit = pLimit(concurrency);
    const attempts = await Promise.all(
      claimed.map((registration) =>
        limit(async (): Promise<Attempt> => {
          if (fault) return { registration, error: fault, started: false };
          const error = await this.createAtProvider(registration);
          if (error && affectsApplication(error)) fault ??= error;
          return { registration, error, started: true };
        }),
      ),
    );
    this.pauseOrResume(applicationId, claimed, fault);
    return attempts;
  }

  /** Pauses an application after an error that affects all of it, and ends the pause without one. */
  private pauseOrResume(
    applicationId: number,
    [first]: readonly ClaimedRegistration[],
    fault: Failure | null,
  ): void {
    if (!fault) {
      this.#paused.delete(applicationId);
      return;
    }
    if (fault.code !== 'expired' && first) {
      const failures = (this.#paused.get(applicationId)?.failures ?? 0) + 1;
      const until = clock.now() + exponentialDelay(failures, pauseMsRange);
      const { realmId } = first;
      this.#paused.set(applicationId, { until, failures, realmId, unauthorized: isRefusal(fault) });
    }
    this.logger.warn(
      { application: applicationId, reason: fault.message },
      'failed to create registrations at the course provider; they stay queued',
    );
  }

  private async createAtProvider(registration: ClaimedRegistration): Promise<Failure | null> {
    const { applicationId, registrationGuid, courseGuid, learnerId } = registration;
    const learner = { id: learnerId, email: learnerId, firstName: '', lastName: '' };
    try {
      const mayExist = registration.attempts > 1;
      const wanted = { registrationGuid, courseGuid, learner };
      await this.atProvider.create(applicationId, wanted, { mayExist });
      return null;
    } catch (error) {
      const failure = Failure.from(error);
      if (isProgrammingError(failure)) {
        const fields = { application: applicationId, registration: registrationGuid };
        this.logger.error({ ...fields, err: error }, 'a registration could not be created');
      }
      return failure;
    }
  }

  private async saveOutcomes(attempts: readonly Attempt[]): Promise<void> {
    const created = attempts.filter((attempt) => !attempt.error);
    await this.confirmRegistrations.confirm(...created.map((attempt) => attempt.registration));
    // One that had failed was created: the others may be now, too, each at most once a minute.
    const recovered = created.filter(({ registration }) => registration.hasFailed);
    await this.queue.retryFailed(
      recovered.map(({ registration }) => registration.applicationId),
      sql`now() - interval '1 minute'`,
    );
    await this.deleteDeleted(attempts.map((attempt) => attempt.registration));
    await this.queue.postpone(
      attempts.flatMap((attempt) => (attempt.error ? [postponement(attempt, attempt.error)] : [])),
    );
  }

  /** Deletes at the provider what was deleted here while an attempt was creating it there. */
  private async deleteDeleted(attempted: readonly ClaimedRegistration[]): Promise<void> {
    if (attempted.length === 0) return;
    const deleted = new Set((await this.queue.deletedOf(attempted)).map(({ id }) => id));
    for (const { id, applicationId, registrationGuid } of attempted) {
      if (!deleted.has(id)) continue;
      try {
        const provider = await this.providers.forApplication(applicationId);
        await provider.deleteRegistration(registrationGuid);
      } catch (error) {
        logFailedWork(
          this.logger,
          error,
          { application: applicationId, reason: Failure.from(error).message },
          'a registration that was deleted during its creation stays at the course provider',
        );
      }
    }
  }
}

function postponement({ registration, started }: Attempt, error: Failure): Postponement {
  const { id, applicationId, attempts } = registration;
  const fault = error instanceof CourseProviderError ? error.fault : null;
  const code = fault?.providerCode ?? null;
  const message = fault?.providerMessage ?? null;
  const claim = { id, applicationId, attempt: attempts, code, message };
  if (!started || error.code === 'over-limit') {
    // As due as before; it is claimed again once this process no longer skips its application.
    return { ...claim, delaySeconds: 0, attempts: attempts - 1 };
  }
  return {
    ...claim,
    attempts,
    delaySeconds: initializationDelay({
      attempts,
      refused: isRefusal(error),
      retryAfter: fault?.retryAfter ?? null,
    }),
  };
}
