import { exponentialDelay } from '@registrar/platform';

/** Seconds. A refusal ends only when somebody acts, who then expects the registration within minutes. */
const transientDelaySeconds = { first: 5, longest: 300 };
const refusalDelaySeconds = { first: 15, longest: 300 };

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
export function initializationDelay({ attempts, refused, retryAfter }: FailedAttempt): number {
  const range = refused ? refusalDelaySeconds : transientDelaySeconds;
  return Math.max(exponentialDelay(attempts, range), retryAfter ?? 0);
}
