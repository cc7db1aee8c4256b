import { deleteNamespace } from '@registrar/bus/testing';
import { measureDeadlines } from './deadlines.ts';
import { measureBrokerLoss } from './broker-loss.ts';
import type { Stores } from '../scenario.ts';
import { measurePoison } from './poison.ts';
import type { PromiseResult } from './report.ts';
import { startFaultySystem } from './faulty-system.ts';

/** Measures the promises about latency and throughput while a fault is active. */
export async function measureFaults(
  stores: Stores,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const measured: PromiseResult[] = [];
  const system = await startFaultySystem(stores);
  try {
    measured.push(...(await measureBrokerLoss(system, say)));
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
