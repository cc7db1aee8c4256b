import { capacityOf, storeProcessors } from './capacity-model.ts';
import { type CompareResult, medianCpuOf } from './results.ts';
import { scenarioOf } from './scenarios/course-index.ts';
import { groupsOfSystem } from './system/process-usage.ts';
import { table } from './table.ts';

/** The installations that the model is applied to: gateways, and replicas of each context. */
const replicaCounts = [1, 2, 4];
const scenario = scenarioOf(32);

const percent = (part: number) => (part * 100).toFixed(part < 0.1 ? 1 : 0);

/** Formats the capacity of installations for course index; null if course index was not measured. */
export function capacityTable(results: readonly CompareResult[]): string | null {
  const system = results.find((result) => result.scenario === scenario)?.systems[0];
  if (!system) return null;
  const cpuMs = Object.fromEntries(
    groupsOfSystem.map((group) => [group, medianCpuOf(system, group)]),
  );
  const names = {
    HTTP: 'gateway',
    contexts: 'contexts',
    PostgreSQL: 'PostgreSQL',
    RabbitMQ: 'RabbitMQ',
  };
  const rows = replicaCounts.map((replicas) => {
    const { requestsPerSecond, saturated, usage } = capacityOf(cpuMs, replicas);
    return [
      `${replicas}`,
      Math.round(requestsPerSecond).toLocaleString('en'),
      names[saturated],
      ...groupsOfSystem.map((group) => percent(usage[group])),
    ];
  });
  const header = [
    'replicas',
    'requests a second',
    'saturated first',
    ...groupsOfSystem.map((group) => `${names[group]} %`),
  ];
  const title = `Capacity by processor time of ${scenario}; PostgreSQL and RabbitMQ have ${storeProcessors} processors each`;
  return `${title}\n${table([header, ...rows])}`;
}
