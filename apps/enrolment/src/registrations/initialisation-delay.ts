/** Seconds. What passes is tried again soon, what was refused when somebody may have acted. */
const passing = { first: 5, longest: 900 };
const refusal = { first: 300, longest: 21_600 };

/** What is known of a failed attempt. */
interface FailedAttempt {
  /** How many have failed so far, this one included. */
  readonly attempts: number;
  /** The provider has said no. */
  readonly refused: boolean;
  /** Seconds after which the provider wants to be asked again, where it said so. */
  readonly retryAfter: number | null;
}

/**
 * Seconds until a registration that could not be made at the provider is tried again: ever more,
 * up to a bound, and never sooner than the provider has asked for.
 */
export function initialisationDelay({ attempts, refused, retryAfter }: FailedAttempt): number {
  const { first, longest } = refused ? refusal : passing;
  return Math.max(Math.min(first * 2 ** (attempts - 1), longest), retryAfter ?? 0);
}
