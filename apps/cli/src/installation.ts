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
  const inner = url
    ? rabbitMqTransport({ url, namespace, logger, accounts })
    : await socketOf(settings.DATA_DIR);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), connectTimeoutMs);
  // Services connect without a limit of time.
  const transport: BusTransport = {
    join: (member) => {
      const endpoint = inner.join(member);
      late.signal.addEventListener('abort', () => void endpoint.connection?.close());
      return endpoint;
    },
  };
  const starting = startApp({ name: 'operator', module: class {}, transport, logger });
  const app = await starting.finally(() => clearTimeout(timer));
  try {
    if (late.signal.aborted)
      throw new Failure('unavailable', 'RabbitMQ does not answer at AMQP_URL');
    const context = { requestId: randomUUID(), deadline: clock.now() + timeoutMs };
    return await runInRequestContext(context, () => work(app.get(BusClient)));
  } finally {
    await app.stop();
  }
}

async function socketOf(dataDirectory: string): Promise<BusTransport> {
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
  return unixSocketTransport(path);
}
