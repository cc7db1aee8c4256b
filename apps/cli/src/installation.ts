import { startApp } from '@registrar/bootstrap';
import { BusClient, type BusTransport, rabbitMqTransport } from '@registrar/bus';
import { Failure } from '@registrar/contracts';
import {
  brokerSettings,
  createLogger,
  readSettings,
  runInRequestContext,
} from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { asks } from './asks.ts';
import type { Terminal } from './terminal.ts';

/** How long to try the broker, and how long a command's requests may take: milliseconds. */
const connectTimeoutMs = 10_000;
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
  const { transport, connecting } = withConnectTimeout(
    rabbitMqTransport({ url, namespace, logger }),
  );
  const app = await startApp({ name: 'operator', module: class {}, asks, transport, logger });
  try {
    if (connecting.end()) throw new Failure('unavailable', 'RabbitMQ does not answer at AMQP_URL');
    const context = { requestId: randomUUID(), deadline: Date.now() + commandTime };
    return await runInRequestContext(context, () => work(app.get(BusClient)));
  } finally {
    await app.stop();
  }
}

/**
 * Limits the time to connect, which is unlimited for services. `end` cancels the limit, and returns
 * whether it was reached.
 */
function withConnectTimeout(inner: BusTransport) {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const transport: BusTransport = {
    join: (app) => {
      const endpoint = inner.join(app);
      timer = setTimeout(() => {
        isOver = true;
        void endpoint.close();
      }, connectTimeoutMs);
      return endpoint;
    },
  };
  const end = () => {
    clearTimeout(timer);
    return isOver;
  };
  return { transport, connecting: { end } };
}
