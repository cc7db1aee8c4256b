import { Failure } from '#libs/contracts';
import { CourseProviderDirectory, CourseProviderError } from '#libs/course-provider';
import { appLogger, currentOperation, type Logger, runOperation } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { ConfirmRegistration } from './confirm-registration.ts';
import { initialisationDelay } from './initialisation-delay.ts';
import { isRefusal, makeAtProvider } from './make-at-provider.ts';
import {
  type Postponement,
  type WaitingRegistration,
  WaitingRegistrations,
} from './waiting-registrations.ts';

/** How many registrations of an application are made at the same time, and taken in one go. */
const concurrency = 10;
const chunkSize = 100;

/** The share of the time left that the provider gets; the rest is for writing down what it said. */
const providerShare = 3 / 4;

/**
 * How long an application whose provider is away is left alone by this process, longer each time:
 * milliseconds.
 */
const pauses = { first: 2_000, longest: 30_000 };

/** How an attempt ended: `error` is null when the provider holds the registration now. */
export interface Attempt {
  readonly registration: WaitingRegistration;
  readonly error: Failure | null;
  /** False when a fault of the whole application ended the work before its turn came. */
  readonly begun: boolean;
}

/** The fault is not this registration's own: the next one would meet it too. */
const concernsAll = (error: Failure): boolean =>
  !(error instanceof CourseProviderError) || !['refused', 'not-found'].includes(error.fault.kind);

/**
 * Makes registrations at the provider that have been waiting for it. Every attempt is written down
 * before it begins, so that the next one asks the provider before repeating it.
 */
@Injectable()
export class InitialiseRegistrations {
  readonly #paused = new Map<number, { readonly until: number; readonly time: number }>();

  constructor(
    private readonly providers: CourseProviderDirectory,
    private readonly waitingRegistrations: WaitingRegistrations,
    private readonly confirmRegistration: ConfirmRegistration,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** A batch of those that are due. @returns how many there were */
  async run(): Promise<number> {
    const now = Date.now();
    const paused = [...this.#paused].filter(([, { until }]) => until > now).map(([id]) => id);
    const due = await this.waitingRegistrations.claimDue(paused);
    await this.attempt(due, deadlineForProvider());
    return due.length;
  }

  /**
   * These at once, as many as there is time for; the others stay with the background.
   *
   * @returns how it ended for those that were tried
   */
  async now(ids: readonly number[]): Promise<Attempt[]> {
    const deadline = deadlineForProvider();
    const attempts: Attempt[] = [];
    for (let at = 0; at < ids.length; at += chunkSize) {
      if (Date.now() >= (deadline ?? Infinity)) break;
      const claimed = await this.waitingRegistrations.claim(ids.slice(at, at + chunkSize));
      attempts.push(...(await this.attempt(claimed, deadline)));
      if (attempts.some((attempt) => !attempt.begun)) break;
    }
    return attempts;
  }

  private async attempt(
    claimed: readonly WaitingRegistration[],
    deadline: number | null,
  ): Promise<Attempt[]> {
    const applications = Map.groupBy(claimed, (registration) => registration.applicationId);
    const within = <T>(work: () => Promise<T>) => {
      const operation = currentOperation();
      return operation ? runOperation({ ...operation, deadline }, work) : work();
    };
    const attempts = await within(() =>
      Promise.all(
        [...applications].map(([applicationId, its]) => this.makeAll(applicationId, its)),
      ),
    );
    await this.note(attempts.flat());
    return attempts.flat();
  }

  /** Those of one application, until a fault concerns them all. */
  private async makeAll(
    applicationId: number,
    claimed: readonly WaitingRegistration[],
  ): Promise<Attempt[]> {
    const queue = [...claimed];
    const attempts: Attempt[] = [];
    let fault: Failure | null = null;
    const work = async () => {
      while (!fault) {
        const registration = queue.shift();
        if (!registration) return;
        const error = await this.make(registration);
        attempts.push({ registration, error, begun: true });
        if (error && concernsAll(error)) fault ??= error;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    const error = fault as Failure | null;
    if (!error) {
      this.#paused.delete(applicationId);
      return attempts;
    }
    if (error.code !== 'expired') this.pause(applicationId);
    this.logger.warn(
      { application: applicationId, reason: error.message },
      'registrations wait for their provider',
    );
    return [...attempts, ...queue.map((registration) => ({ registration, error, begun: false }))];
  }

  private pause(applicationId: number): void {
    const before = this.#paused.get(applicationId);
    const time = before ? Math.min(before.time * 2, pauses.longest) : pauses.first;
    this.#paused.set(applicationId, { until: Date.now() + time, time });
  }

  private async make(registration: WaitingRegistration): Promise<Failure | null> {
    const { applicationId, registrationGuid, courseGuid, learnerId } = registration;
    const learner = { id: learnerId, email: learnerId, firstName: '', lastName: '' };
    try {
      const provider = await this.providers.forApplication(applicationId);
      const begun = registration.attempts > 1;
      await makeAtProvider(provider, { registrationGuid, courseGuid, learner }, { begun });
      return null;
    } catch (error) {
      return Failure.from(error);
    }
  }

  private async note(attempts: readonly Attempt[]): Promise<void> {
    const made = attempts.filter((attempt) => !attempt.error);
    await this.confirmRegistration.run(...made.map((attempt) => attempt.registration));
    await this.waitingRegistrations.postpone(
      attempts.flatMap((attempt) => (attempt.error ? [postponement(attempt, attempt.error)] : [])),
    );
  }
}

function deadlineForProvider(): number | null {
  const deadline = currentOperation()?.deadline ?? null;
  const now = Date.now();
  return deadline && now + Math.max(0, deadline - now) * providerShare;
}

function postponement({ registration, begun }: Attempt, error: Failure): Postponement {
  const { id, attempts } = registration;
  const claim = { id, attempt: attempts };
  // Its turn has not come: it is due as before, once its application is not left alone any more.
  if (!begun) return { ...claim, delay: 0, attempts: attempts - 1, code: null, message: null };
  const fault = error instanceof CourseProviderError ? error.fault : null;
  const refused = isRefusal(error);
  const delay = initialisationDelay({ attempts, refused, retryAfter: fault?.retryAfter ?? null });
  const said = { code: fault?.providerCode ?? null, message: fault?.providerMessage ?? null };
  return { ...claim, delay, attempts, ...said };
}
