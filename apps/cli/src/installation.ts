import { startApp } from '@registrar/bootstrap';
import {
  BusClient,
  busSocketPath,
  type BusTransport,
  probeBusSocket,
  rabbitMqTransport,
  unixSocketTransport,
} from '@registrar/bus';
import { Failure } from '@registrar/contracts';
import { clock, createLogger, readSettings, runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { installationSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** How long to try the broker, and how long a command's requests may take: milliseconds. */
const connectTimeoutMs = 10_000;
const commandTimeoutMs = 60_000;

/**
 * Runs `work` with a place on the bus of an installation: that of the broker at `AMQP_URL`, or
 * without `AMQP_URL` that of the process that uses `DATA_DIR` (`npm start`).
 *
 * @throws {SettingsError} when a setting is malformed
 * @throws {Failure} `unavailable` when the broker or the process does not answer
 */
export async function withInstallation<T>(
  terminal: Terminal,
  work: (bus: BusClient) => Promise<T>,
  timeoutMs = commandTimeoutMs,
): Promise<T> {
  const settings = readSettings(installationSettings, terminal.environment);
  const { AMQP_URL: url, BUS_NAMESPACE: namespace, BUS_ACCOUNTS: accounts } = settings;
  const logger = createLogger('operator', 'error', terminal.stderr);
  const { transport, connecting } = url
    ? withConnectTimeout(rabbitMqTransport({ url, namespace, logger, accounts }))
    : await socketOf(settings.DATA_DIR);
  const app = await startApp({ name: 'operator', module: class {}, transport, logger });
  try {
    if (connecting.end()) throw new Failure('unavailable', 'RabbitMQ does not answer at AMQP_URL');
    const context = { requestId: randomUUID(), deadline: clock.now() + timeoutMs };
    return await runInRequestContext(context, () => work(app.get(BusClient)));
  } finally {
    await app.stop();
  }
}

/** How the bus is reached; `end` of `connecting` returns whether that took too long. */
interface Connection {
  readonly transport: BusTransport;
  readonly connecting: { end(): boolean };
}

async function socketOf(dataDirectory: string): Promise<Connection> {
  const path = busSocketPath(dataDirectory);
  const state = await probeBusSocket(path);
  if (state === 'forbidden') {
    throw new Failure('unavailable', `${path} belongs to another user: run this as that user`);
  }
  if (state === 'absent') {
    throw new Failure(
      'unavailable',
      `no Registrar is running with DATA_DIR=${dataDirectory}. Start one with npm start, or set ` +
        'DATA_DIR to its directory, or AMQP_URL to the broker of a distributed installation',
    );
  }
  return { transport: unixSocketTransport(path), connecting: { end: () => false } };
}

/** Limits the time to connect, which is unlimited for services. `end` cancels the limit. */
function withConnectTimeout(inner: BusTransport): Connection {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const transport: BusTransport = {
    join: (app) => {
      const endpoint = inner.join(app);
      timer = setTimeout(() => {
        isOver = true;
        void endpoint.connection?.close();
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
