import type { CpuTimes } from './results.ts';
import { groupsOfSystem } from './system/process-usage.ts';

type SystemGroup = (typeof groupsOfSystem)[number];

/** The processors of PostgreSQL, and of RabbitMQ: both spread their work over several. */
export const storeProcessors = 4;

/** What an installation can serve, by processor time alone. */
export interface Capacity {
  readonly requestsPerSecond: number;
  /** The group whose processors are all busy at this rate. */
  readonly saturated: SystemGroup;
  /** The part of its processors that each group uses at this rate, from 0 to 1. */
  readonly usage: Readonly<Record<SystemGroup, number>>;
}

/**
 * Returns the capacity of an installation for requests of one kind. Gateways and replicas of contexts have a processor
 * each. A group's work is shared evenly by its replicas and grows in proportion to the requests. The work of all
 * contexts counts as that of one of them, because it is measured together; what they really can serve is more.
 *
 * @param cpuMs the processor time of one request
 * @param replicas the gateways, and the replicas of each context
 * @throws {Error} if the request took no processor time
 */
export function capacityOf(cpuMs: CpuTimes, replicas: number): Capacity {
  const processors: Readonly<Record<SystemGroup, number>> = {
    HTTP: replicas,
    contexts: replicas,
    PostgreSQL: storeProcessors,
    RabbitMQ: storeProcessors,
  };
  const limits = groupsOfSystem.map((group) => ({
    group,
    perSecond: (processors[group] * 1_000) / (cpuMs[group] ?? 0),
  }));
  const lowest = limits.reduce((least, each) => (each.perSecond < least.perSecond ? each : least));
  if (!Number.isFinite(lowest.perSecond)) throw new Error('the request took no processor time');
  const usageOf = (group: SystemGroup) =>
    (lowest.perSecond * (cpuMs[group] ?? 0)) / 1_000 / processors[group];
  return {
    requestsPerSecond: lowest.perSecond,
    saturated: lowest.group,
    usage: {
      HTTP: usageOf('HTTP'),
      contexts: usageOf('contexts'),
      PostgreSQL: usageOf('PostgreSQL'),
      RabbitMQ: usageOf('RabbitMQ'),
    },
  };
}
