import type { FailureCode } from '@registrar/contracts';

/** The HTTP status of each failure code (contract/errors#statuses). */
export const statusOfFailure: Readonly<Record<FailureCode, number>> = {
  unchanged: 302,
  unauthenticated: 401,
  'refused-by-provider': 403,
  'not-found': 404,
  invalid: 500,
  internal: 500,
  unavailable: 503,
  overloaded: 503,
  'over-limit': 503,
  expired: 504,
};

/** The `Retry-After` of a 503 whose failure states none: seconds (contract/errors#status-503). */
export const retryAfterSeconds: Partial<Record<FailureCode, number>> = {
  unavailable: 5,
  overloaded: 1,
  'over-limit': 10,
};
