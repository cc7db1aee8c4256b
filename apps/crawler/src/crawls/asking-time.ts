/** The part of the time left that is kept for the way back, and how much of it at most. */
const share = 0.2;
const most = 1_000;

/**
 * Until when a provider may be asked, so that the answer still arrives by the deadline.
 * Milliseconds since the epoch.
 *
 * @param remaining milliseconds until the deadline
 */
export const askingEnds = (now: number, remaining: number): number =>
  now + remaining - Math.min(remaining * share, most);
