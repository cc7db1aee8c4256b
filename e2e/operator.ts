import { type BusApp, BusClient, rabbitMqTransport, startApp } from '#libs/bus';
import { type RunningSystem, testBrokerUrl, testLogger } from '#libs/testing';

/** An app that asks a distributed system's contexts as its operator does, over the bus. */
export function startOperator(
  { namespace }: RunningSystem,
  on: { managementPort?: number } = {},
): Promise<BusApp> {
  if (!namespace) throw new Error('this system has no bus to reach');
  const { logger } = testLogger();
  const transport = rabbitMqTransport({ url: testBrokerUrl, namespace, logger });
  return startApp({ name: 'operator', module: class {}, transport, logger, ...on });
}

/** Lets `work` ask a distributed system's contexts as its operator does. */
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
