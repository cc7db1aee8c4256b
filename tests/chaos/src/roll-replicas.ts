import type { SupervisedProcess } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import type { BalancedClient } from './balanced-client.ts';
import type { System } from './system.ts';

/**
 * Time in milliseconds between draining an HTTP server and stopping it, so that requests on their way
 * arrive: the preStop hook of the Kubernetes manifests does the same for longer.
 */
const drainMs = 500;

/**
 * Replaces a process, while clients use the other replica of its app.
 *
 * @param entry file that Node runs from now on; absent for the same as before
 * @returns what went wrong: an exit code other than 0
 */
export async function replaceReplica(
  { baseUrls, providerBalancer }: System,
  process: SupervisedProcess,
  calls: BalancedClient,
  entry?: string,
): Promise<string[]> {
  const { name } = process;
  const index = Number(/\d+$/.exec(name)) - 1;
  const gateway = name.startsWith('gateway') ? baseUrls[index] : undefined;
  const balancer = name.startsWith('provider') ? providerBalancer : null;
  if (gateway) calls.drain(gateway);
  balancer?.drain(index);
  if (gateway || balancer) await pause(drainMs);
  const code = await process.replace(entry);
  await process.ready();
  if (gateway) calls.restore(gateway);
  balancer?.restore(index);
  return code === 0 ? [] : [`${name} exited with ${String(code)}`];
}

/**
 * Replaces the processes of the given apps, one replica of each app at a time.
 *
 * @param apps the names of the apps; absent for all
 * @returns what went wrong
 */
export async function rollReplicas(
  system: System,
  calls: BalancedClient,
  apps?: readonly string[],
): Promise<string[]> {
  const concerned = system.processes.filter(
    ({ name }) => !apps || apps.some((app) => name.startsWith(`${app}-`)),
  );
  const failures: string[] = [];
  const replicaSets = Map.groupBy(concerned, ({ name }) => name.split('-').at(-1));
  for (const replicas of replicaSets.values()) {
    const replaced = replicas.map((process) => replaceReplica(system, process, calls));
    failures.push(...(await Promise.all(replaced)).flat());
  }
  return failures;
}
