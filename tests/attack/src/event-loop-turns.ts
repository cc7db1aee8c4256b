import { eventually, scrapeMetrics } from '@registrar/testing';
import type { Target } from './target.ts';

/** The longest that one request may hold an event loop, without and with access: milliseconds. */
export const maxHeldMs = { stranger: 20, client: 50 };
export type Caller = keyof typeof maxHeldMs;

/** The precision of the metric, which contains it: milliseconds. */
const precisionMs = 10;

/**
 * Sends a request alone, up to so many times, and measures the longest turn of the event loops of an
 * app meanwhile (`monitorEventLoopDelay`). The least counts, because other processes of the machine
 * only add to it: once it is short enough, the request is not sent again.
 *
 * @returns milliseconds
 */
export async function leastTurnMs(
  target: Target,
  app: 'gateway' | 'provider',
  caller: Caller,
  maxRounds: number,
  send: () => Promise<unknown>,
): Promise<number> {
  const processes = target.processesOfApps.filter(({ apps }) => apps.includes(app));
  // Reading the metric resets it.
  const longestTurnMs = async () => {
    const turns = processes.map(async ({ managementUrls: [managementUrl = ''] }) => {
      const metrics = await eventually('the metrics are read', () =>
        scrapeMetrics({ managementUrl }),
      );
      return (metrics.value('nodejs_eventloop_lag_max_seconds') ?? 0) * 1_000 - precisionMs;
    });
    return Math.max(...(await Promise.all(turns)));
  };
  let least = Infinity;
  for (let round = 0; round < maxRounds && least > maxHeldMs[caller]; round += 1) {
    await longestTurnMs();
    await send();
    least = Math.min(least, await longestTurnMs());
  }
  return Math.max(0, least);
}
