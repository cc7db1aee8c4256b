import { brokerUsers } from '@registrar/cli/broker-users';
import { type StartedApp, startApp } from '@registrar/bootstrap';
import { BusClient, rabbitMqTransport } from '@registrar/bus';
import { type RunningSystem } from '@registrar/standalone/testing';
import { testBrokerUrl, testLogger } from '@registrar/testing';

/** Starts an app that sends requests to a distributed system's contexts over the bus, as the CLI does. */
export function startOperator(
  { namespace }: RunningSystem,
  on: { managementPort?: number } = {},
): Promise<StartedApp> {
  if (!namespace) throw new Error('this system has no bus to connect to');
  const { logger } = testLogger();
  const transport = rabbitMqTransport({ url: testBrokerUrl, namespace, logger });
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
