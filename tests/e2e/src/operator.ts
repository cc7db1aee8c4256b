import { brokerUsers } from '@registrar/cli/broker-users';
import { type StartedApp, startApp } from '@registrar/bootstrap';
import { BusClient, busKeyFileSettings, rabbitMqTransport, readBusKeys } from '@registrar/bus';
import type { BusApp } from '@registrar/contracts';
import { busKeySettings, readSettings } from '@registrar/platform';
import { type RunningSystem } from '@registrar/standalone/testing';
import { testLogger } from '@registrar/testing';
import { join } from 'node:path';

/** The keys of an app of a distributed system; in containers those of the operator, from the environment. */
export function busKeysOf({ dataDirectory }: RunningSystem, app: BusApp) {
  const environment = dataDirectory
    ? busKeyFileSettings(join(dataDirectory, 'bus-keys'), app)
    : process.env;
  return readBusKeys(app, readSettings(busKeySettings, environment));
}

/** Starts an app that sends requests to a distributed system's contexts over the bus, as the CLI does. */
export function startOperator(
  system: RunningSystem,
  on: { managementPort?: number } = {},
): Promise<StartedApp> {
  const { namespace, brokerUrl } = system;
  if (!namespace || !brokerUrl) throw new Error('this system has no bus to connect to');
  const { logger } = testLogger();
  const transport = rabbitMqTransport({
    url: brokerUrl,
    namespace,
    logger,
    keysOf: () => busKeysOf(system, 'operator'),
  });
  return startApp({
    name: 'operator',
    module: class {},
    asks: brokerUsers.operator,
    transport,
    logger,
    ...on,
  });
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
