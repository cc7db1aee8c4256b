import { type StartedApp, startApp } from '@registrar/bootstrap';
import {
  BusClient,
  busSocketPath,
  type BusTransport,
  rabbitMqTransport,
  unixSocketTransport,
} from '@registrar/bus';
import type { Logger } from '@registrar/platform';
import { type RunningSystem } from '@registrar/standalone/testing';
import { testLogger } from '@registrar/testing';

/** Starts an app that sends requests to a system's contexts over its bus, as the CLI does. */
export function startOperator(
  system: RunningSystem,
  on: { managementPort?: number } = {},
): Promise<StartedApp> {
  const { logger } = testLogger();
  const transport = busOf(system, logger);
  return startApp({ name: 'operator', module: class {}, transport, logger, ...on });
}

/** The bus of the distributed form, or the socket of the one process of the other. */
function busOf(system: RunningSystem, logger: Logger): BusTransport {
  const { namespace, brokerUrl, dataDirectory } = system;
  if (namespace && brokerUrl) {
    // In containers and attacks each app has an account, and this one is the operator's.
    const accounts = new URL(brokerUrl).username === 'operator' ? 'per-app' : 'shared';
    return rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts });
  }
  if (dataDirectory) return unixSocketTransport(busSocketPath(dataDirectory));
  throw new Error('this system has no bus to connect to');
}

/** Runs `work` with a bus client that may send the requests of the CLI. */
export async function asOperator<T>(
  system: RunningSystem,
  work: (bus: BusClient) => Promise<T>,
): Promise<T> {
  const operator = await startOperator(system);
  try {
    return await work(operator.get(BusClient));
  } finally {
    await operator.stop();
  }
}
