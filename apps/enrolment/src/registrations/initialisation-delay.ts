import { exponentialDelay } from '@registrar/platform';

/** Seconds: short after a transient error, long after a refusal, which ends only when somebody acts. */
const transientDelaySeconds = { first: 5, longest: 900 };
const refusalDelaySeconds = { first: 300, longest: 21_600 };

/** A failed attempt to create a registration at the provider. */
interface FailedAttempt {
  /** How many have failed so far, this one included. */
  readonly attempts: number;
  /** The provider refused it. */
  readonly refused: boolean;
  /** Seconds from the provider's Retry-After header, or null. */
  readonly retryAfter: number | null;
}

/**
 * Returns the seconds until the next attempt to create a registration at the provider: exponential
 * with an upper bound, and never less than the provider's Retry-After.
 */
export function initialisationDelay({ attempts, refused, retryAfter }: FailedAttempt): number {
  const range = refused ? refusalDelaySeconds : transientDelaySeconds;
  return Math.max(exponentialDelay(attempts, range), retryAfter ?? 0);
}
