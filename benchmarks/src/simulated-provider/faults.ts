/** How a provider treats its callers. Parts are between 0 and 1. */
export interface Behavior {
  readonly latencyMs: number;
  /** Calls of one application a second, above which it responds with 429; 0 for no limit. */
  readonly limitPerSecond: number;
  /** Seconds in `Retry-After` of 429; null leaves the header out. */
  readonly retryAfter: number | null;
  /** The part of the calls that fail with 500. */
  readonly errors: number;
  /** The part of the lists that end in the middle, or contain text that is no JSON. */
  readonly truncated: number;
  readonly malformed: number;
  /** Whether it never responds. */
  readonly isSilent: boolean;
  /** How far the provider's clock is ahead, and how long changes stay invisible: milliseconds. */
  readonly clockSkewMs: number;
  readonly invisibleMs: number;
}

export const promptBehavior: Behavior = {
  latencyMs: 0,
  limitPerSecond: 0,
  retryAfter: null,
  errors: 0,
  truncated: 0,
  malformed: 0,
  isSilent: false,
  clockSkewMs: 0,
  invisibleMs: 0,
};

type Fault = 'error' | 'truncated' | 'malformed';

/** Returns the fault of a call; null for none. @param random from 0 to 1 */
export function chooseFault(behavior: Behavior, random: number): Fault | null {
  let bound = 0;
  for (const [fault, part] of [
    ['error', behavior.errors],
    ['truncated', behavior.truncated],
    ['malformed', behavior.malformed],
  ] as const) {
    bound += part;
    if (random < bound) return fault;
  }
  return null;
}
