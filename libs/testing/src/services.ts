import { existsSync } from 'node:fs';
import { Topology } from '#libs/bus';
import { connect } from 'amqplib';
import { brokerInstallations } from './own-broker.ts';

/** The RabbitMQ that suites use. */
export const testBrokerUrl = process.env['AMQP_URL'] ?? 'amqp://guest:guest@127.0.0.1:5672';

const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * The broker's address, or null where none answers: a suite then registers nothing but one line
 * that says so. With `CI=true` a missing broker is an error.
 */
export async function brokerForTests(): Promise<string | null> {
  try {
    const connection = await connect(testBrokerUrl);
    await connection.close();
    return testBrokerUrl;
  } catch (error) {
    return missing(`RabbitMQ does not answer at AMQP_URL (${(error as Error).message})`);
  }
}

/** Whether suites can start brokers of their own; like {@link brokerForTests} where they cannot. */
export function canStartBroker(): boolean {
  if (existsSync(brokerInstallations)) return true;
  missing(`RabbitMQ is not installed under ${brokerInstallations}`);
  return false;
}

/** The path of an installed Chromium; like {@link brokerForTests} where there is none. */
export function chromiumForTests(): string | null {
  const path = chromiumPaths.find((candidate) => existsSync(candidate));
  return path ?? missing('no Chromium is installed');
}

/** Whether Debian's package `prometheus` is here; like {@link brokerForTests} where it is not. */
export function prometheusForTests(): boolean {
  if (['prometheus', 'promtool'].every((name) => existsSync(`/usr/bin/${name}`))) return true;
  missing('no Prometheus is installed');
  return false;
}

/** How Chromium runs in suites: headless, as any user, with no connection of its own. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Says what a suite misses; with `CI=true` that is an error. */
export function missing(what: string): null {
  if (process.env['CI'] === 'true') throw new Error(`${what}, and CI=true wants every suite`);
  process.stderr.write(`Left out: ${what}.\n`);
  return null;
}

const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

/** Removes what a system of that bus namespace declared at the broker. */
export async function deleteNamespace(url: string, namespace: string): Promise<void> {
  const topology = new Topology(namespace);
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const queue of contexts.flatMap((context) => topology.queuesOf(context))) {
    await channel.deleteQueue(queue);
  }
  for (const exchange of [topology.requests, topology.events]) {
    await channel.deleteExchange(exchange);
  }
  await connection.close();
}
