import { type DelayRange } from '@registrar/platform';

/** The injection token of {@link PostbackTimes}. */
export const postbackTimes = Symbol('postbackTimes');

/** When postbacks are sent, in milliseconds. Suites shorten these times. */
export interface PostbackTimes {
  /** From a change during the course to its postback: further changes until then are in it. */
  readonly inCourseMs: number;
  /** How long a receiver may take to respond. */
  readonly responseMs: number;
  /** The delays before a failed delivery is repeated, without the jitter. */
  readonly retryMs: DelayRange;
  /** How long running deliveries may continue when the process stops. */
  readonly drainMs: number;
}

export const defaultPostbackTimes: PostbackTimes = {
  inCourseMs: 5_000,
  responseMs: 10_000,
  retryMs: { first: 1_000, longest: 15 * 60_000 },
  drainMs: 5_000,
};
