import { deleteNamespace } from '#libs/testing';
import { measureDeadlines } from './deadlines.ts';
import { measureLostBroker } from './lost-broker.ts';
import type { Stores } from './main.ts';
import { measurePoison } from './poison.ts';
import type { Measured } from './report.ts';
import { startFaultySystem } from './faulty-system.ts';

/** What is promised of times and throughput while something is broken, and what was seen. */
export async function measureFaults(
  stores: Stores,
  say: (text: string) => void,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const system = await startFaultySystem(stores);
  try {
    measured.push(...(await measureLostBroker(system, say)));
    measured.push(...(await measureDeadlines(system, say)));
  } finally {
    await system.dispose();
  }
  const namespace = `benchmark-${process.pid}`;
  try {
    measured.push(await measurePoison({ ...stores, namespace }, say));
  } finally {
    await deleteNamespace(stores.brokerUrl, namespace);
  }
  return measured;
}
