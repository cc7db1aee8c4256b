import { eventually, scrapeMetrics } from '@registrar/testing';
import type { Target } from './target.ts';

/**
 * Sends messages, and waits until the apps have counted each of them as rejected.
 *
 * @param send returns how many messages it has sent
 * @returns a violation if fewer were counted
 */
export async function expectRejected(
  target: Target,
  what: string,
  send: () => Promise<number>,
): Promise<string[]> {
  const before = await countRejected(target);
  const sent = await send();
  const rejected = async () => (await countRejected(target)) - before;
  try {
    await eventually('all are rejected', async () => (await rejected()) >= sent);
    return [];
  } catch {
    return [`of ${sent} ${what}, ${await rejected()} were counted as rejected`];
  }
}

/** How many messages of the bus all apps have rejected. */
async function countRejected({ apps }: Target): Promise<number> {
  const counts = apps.map(async ({ managementUrl }) =>
    (await scrapeMetrics({ managementUrl })).sum('registrar_bus_rejected_messages_total'),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
