import { BusClient, type BusTransport, rabbitMqTransport, startApp } from '#libs/bus';
import { Failure } from '#libs/contracts';
import { brokerSettings, createLogger, readSettings, runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';
import type { Terminal } from './terminal.ts';

/** How long to try the broker, and how long a command's requests may take: milliseconds. */
const connectTime = 10_000;
const commandTime = 60_000;

/**
 * Runs `work` with a place on the bus of the installation that `AMQP_URL` and `BUS_NAMESPACE` name.
 *
 * @throws {SettingsError} when they are missing or malformed
 * @throws {Failure} `unavailable` when the broker does not answer
 */
export async function withInstallation<T>(
  terminal: Terminal,
  work: (bus: BusClient) => Promise<T>,
): Promise<T> {
  const { AMQP_URL: url, BUS_NAMESPACE: namespace } = readSettings(
    brokerSettings,
    terminal.environment,
  );
  const logger = createLogger('operator', 'error', terminal.stderr);
  const { transport, patience } = impatient(rabbitMqTransport({ url, namespace, logger }));
  const app = await startApp({ name: 'operator', module: class {}, transport, logger });
  try {
    if (patience.end()) throw new Failure('unavailable', 'RabbitMQ does not answer at AMQP_URL');
    const operation = { requestId: randomUUID(), deadline: Date.now() + commandTime };
    return await runOperation(operation, () => work(app.get(BusClient)));
  } finally {
    await app.stop();
  }
}

/**
 * Services wait for their broker for ever; a person at a terminal wants to know. `end` tells
 * whether the time to connect was over.
 */
function impatient(patient: BusTransport) {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const transport: BusTransport = {
    join: (app) => {
      const endpoint = patient.join(app);
      timer = setTimeout(() => {
        isOver = true;
        void endpoint.close();
      }, connectTime);
      return endpoint;
    },
  };
  const end = () => {
    clearTimeout(timer);
    return isOver;
  };
  return { transport, patience: { end } };
}
