/** The injection token of {@link PostbackTimes}. */
export const postbackTimes = Symbol('postbackTimes');

/** When postbacks are sent, in milliseconds. Suites shorten these times. */
export const defaultPostbackTimes = {
  /** From a change during the course to its postback: further changes until then are in it. */
  inCourseMs: 5_000,
  /** How long a receiver may take to respond. */
  responseMs: 10_000,
  /** The delays before a failed delivery is repeated, without the jitter. */
  retryMs: { first: 1_000, longest: 15 * 60_000 },
  /** How long running deliveries may continue when the process stops. */
  drainMs: 5_000,
};
export type PostbackTimes = typeof defaultPostbackTimes;
