import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { connect } from 'amqplib';

/**
 * A service or program that a suite needs and a machine may lack. `describeWith` of
 * `@registrar/testing/suites` skips the suite when it is not available.
 */
export type ExternalService<Handle> =
  | { readonly available: true; readonly handle: Handle }
  | {
      readonly available: false;
      /** What is missing, as a sentence without its full stop. */
      readonly reason: string;
    };

/** URL of the RabbitMQ broker that suites share: `AMQP_URL`, or the broker's default on localhost. */
export const testBrokerUrl = process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';

/**
 * Folder of RabbitMQ's own scripts, where Debian's package `rabbitmq-server` keeps them.
 * `RABBITMQ_INSTALLATIONS` replaces it, for another version.
 */
export const brokerInstallations = process.env['RABBITMQ_INSTALLATIONS'] ?? '/usr/lib/rabbitmq/lib';

const chromiumPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Finds the shared RabbitMQ broker; the handle is its URL. */
export async function findBroker(): Promise<ExternalService<string>> {
  try {
    const connection = await connect(testBrokerUrl);
    await connection.close();
    return { available: true, handle: testBrokerUrl };
  } catch (error) {
    const reason = `RabbitMQ does not answer at AMQP_URL (${(error as Error).message})`;
    return { available: false, reason };
  }
}

/** Finds an installed RabbitMQ, which `DedicatedBroker` starts; the handle is its folder. */
export const findBrokerInstallation = (): ExternalService<string> =>
  existsSync(brokerInstallations)
    ? { available: true, handle: brokerInstallations }
    : { available: false, reason: `RabbitMQ is not installed in ${brokerInstallations}` };

/**
 * Finds an installed Chromium, first the form without windows, which takes less than half of the
 * processor time; the handle is the path of its executable.
 */
export function findChromium(): ExternalService<string> {
  const handle = chromiumPaths.find((path) => existsSync(path));
  return handle
    ? { available: true, handle }
    : { available: false, reason: 'Chromium is not installed' };
}

/** Finds Debian's package `prometheus`; the handle is the folder of `prometheus` and `promtool`. */
export const findPrometheus = (): ExternalService<string> =>
  ['prometheus', 'promtool'].every((name) => existsSync(`/usr/bin/${name}`))
    ? { available: true, handle: '/usr/bin' }
    : { available: false, reason: 'Prometheus is not installed' };

/** Finds Debian's package `pgbouncer`; the handle is the path of its program. */
export function findPgBouncer(): ExternalService<string> {
  const handle = '/usr/sbin/pgbouncer';
  return existsSync(handle)
    ? { available: true, handle }
    : { available: false, reason: 'PgBouncer is not installed' };
}

/** Finds programs in `PATH`; the handle is their names. */
export function findPrograms(...names: string[]): ExternalService<readonly string[]> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = names.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0
    ? { available: true, handle: names }
    : { available: false, reason: `${missing.join(' and ')} cannot be found in PATH` };
}

/** Combines two services for a suite that needs both; the handle is a pair. */
export function both<First, Second>(
  first: ExternalService<First>,
  second: ExternalService<Second>,
): ExternalService<readonly [First, Second]> {
  if (!first.available) return first;
  if (!second.available) return second;
  return { available: true, handle: [first.handle, second.handle] };
}
