import type { ProviderFaultKind } from '@registrar/course-provider';

/** A rate is lowered to this at least: calls per second. */
const lowestRate = 0.1;

/** So many successes raise a rate from zero to the configured one, by equal steps. */
export const successesToFullRate = 20;

/** Whether a fault can come from too many calls: 429, a server error, or no response in time. */
export const isOfLoad = (kind: ProviderFaultKind): boolean =>
  kind === 'throttled' || kind === 'unavailable' || kind === 'timeout';

/** Returns the rate after a failure: half of it. Calls per second. */
export const lowerRate = (rate: number): number => Math.max(lowestRate, rate / 2);
