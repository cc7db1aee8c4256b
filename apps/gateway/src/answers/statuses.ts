import type { FailureCode } from '#libs/contracts';

/** The status of every way to fail (api-v2.md, Errors; decision 11). */
export const statuses: Readonly<Record<FailureCode, number>> = {
  unchanged: 302,
  unauthenticated: 401,
  'refused-by-provider': 403,
  'not-found': 404,
  invalid: 500,
  internal: 500,
  unavailable: 503,
  overloaded: 503,
  expired: 504,
};

/** When to ask again after a 503: seconds. */
export const retryAfter: Partial<Record<FailureCode, number>> = { unavailable: 5, overloaded: 1 };
