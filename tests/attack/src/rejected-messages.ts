import { eventually } from '@registrar/testing';
import { sumOfMetric } from './sum-of-metric.ts';
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
  const before = await sumOfMetric(target, 'registrar_bus_rejected_messages_total');
  const sent = await send();
  const rejected = async () =>
    (await sumOfMetric(target, 'registrar_bus_rejected_messages_total')) - before;
  try {
    await eventually('all are rejected', async () => (await rejected()) >= sent);
    return [];
  } catch {
    return [`of ${sent} ${what}, ${await rejected()} were counted as rejected`];
  }
}
