import { BusClient, rabbitMqTransport, startApp } from '#libs/bus';
import { type RunningSystem, testBrokerUrl, testLogger } from '#libs/testing';

/** Lets `work` ask a distributed system's contexts as its operator does, over the bus. */
export async function asOperator<T>(
  system: RunningSystem,
  work: (bus: BusClient) => Promise<T>,
): Promise<T> {
  const { namespace } = system;
  if (!namespace) throw new Error('this system has no bus to reach');
  const { logger } = testLogger();
  const transport = rabbitMqTransport({ url: testBrokerUrl, namespace, logger });
  const operator = await startApp({ name: 'operator', module: class {}, transport, logger });
  try {
    return await work(operator.get(BusClient));
  } finally {
    await operator.stop();
  }
}
