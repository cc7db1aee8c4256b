import { brokerTls, requestRoutes, Topology } from '@registrar/bus';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import type { AppName, ContextName } from '@registrar/bootstrap';
import { isContext } from '@registrar/contracts';
import { faultOf, lookAtQueue } from './channel-faults.ts';
import { type Check, CheckFailed, fail, type Finding, ok, sharing, warn } from './check.ts';
import { requestQueues } from './request-queues.ts';
import { tlsFault } from './tls-faults.ts';

/** The oldest RabbitMQ that the bus works with. */
const oldestVersion = [3, 10] as const;
const connectTime = 10_000;

/** Of the broker, for each user at it, and of the queues of each context. */
export function brokerChecks(urls: ReadonlyMap<AppName, string>, namespace: string): Check[] {
  const topology = new Topology(namespace);
  const users = Map.groupBy(urls, ([, url]) => url);
  return [...users].flatMap(([url, served]) => {
    const names = served.map(([app]) => app);
    const suffix = users.size > 1 ? ` of ${names.join(', ')}` : '';
    const { username } = new URL(url);
    return sharing({ open: () => connectTo(url), close: (connection) => connection.close() }, [
      { name: `broker${suffix}`, look: version },
      {
        name: `exchanges${suffix}`,
        look: (connection: ChannelModel) =>
          exchanges(connection, topology, names, decodeURIComponent(username)),
      },
      ...names.filter(isContext).map((context) => ({
        name: `queues of ${context}`,
        look: (connection: ChannelModel) => queues(connection, topology, context),
      })),
    ]);
  });
}

/** @throws {CheckFailed} with the reason why the broker refuses the connection */
export async function connectTo(url: string): Promise<ChannelModel> {
  try {
    const connection = await connect(url, {
      timeout: connectTime,
      clientProperties: { connection_name: 'registrar doctor' },
      ...brokerTls(url),
    });
    connection.on('error', () => undefined);
    return connection;
  } catch (error) {
    throw new CheckFailed(refusal(new URL(url), error as Error));
  }
}

function refusal(url: URL, error: Error & { code?: string }): Finding {
  const { host, pathname } = url;
  const username = decodeURIComponent(url.username);
  // First, because OpenSSL's messages contain numbers of any digits.
  const store = { name: 'RabbitMQ', host, setting: 'AMQP_URL', authority: 'cacertfile' } as const;
  const fault = tlsFault(error, store);
  if (fault) return fault;
  if (/ACCESS_REFUSED|403/.test(error.message)) {
    return fail(
      `RabbitMQ refuses the password of ${username}`,
      'put the right one into AMQP_URL, or set it: rabbitmqctl change_password',
    );
  }
  if (/NOT_ALLOWED|530/.test(error.message)) {
    const vhost = decodeURIComponent(pathname.slice(1)) || '/';
    return fail(
      `RabbitMQ does not let ${username} into the virtual host ${vhost}`,
      'make it with rabbitmqctl add_vhost, and import what registrar grants rabbitmq prints',
    );
  }
  return fail(
    `RabbitMQ cannot be reached at ${host} (${error.code ?? error.message})`,
    'start it, or correct AMQP_URL; then see the network between',
  );
}

async function version({ connection }: ChannelModel): Promise<Finding> {
  const { version: text } = connection.serverProperties as unknown as { version: string };
  const [major = 0, minor = 0] = text.split('.').map(Number);
  const [oldMajor, oldMinor] = oldestVersion;
  return major > oldMajor || (major === oldMajor && minor >= oldMinor)
    ? ok(`RabbitMQ ${text}`)
    : fail(`RabbitMQ ${text} is too old`, 'upgrade the broker to RabbitMQ 3.10 or later');
}

async function exchanges(
  connection: ChannelModel,
  topology: Topology,
  apps: readonly AppName[],
  user: string,
): Promise<Finding> {
  const { requests, events } = topology;
  const used = apps.every((app) => app === 'gateway') ? [requests, events] : topology.exchanges;
  const fault = await faultOf(connection, async (channel) => {
    for (const exchange of used) await topology.declareExchange(channel, exchange);
  });
  if (!fault) return ok('they are as this version declares them');
  if (fault.code === 403) {
    const absent = await faultOf(connection, async (channel) => {
      // Passive: looks, and needs no permission.
      for (const exchange of used) await channel.checkExchange(exchange);
    });
    // The command line's own user publishes to one exchange and declares no other.
    if (!absent) {
      return warn(
        'they exist; their types were not compared',
        'give the doctor the users of the apps in IDENTITY_AMQP_URL and so on',
      );
    }
    return fail(
      `${user} may not declare them`,
      'import what registrar grants rabbitmq prints: rabbitmqctl import_definitions',
    );
  }
  return fail(`they cannot be declared: ${fault.message}`, mismatchRemedy);
}

/** What to do about a queue or an exchange that is not as this version declares it. */
export const mismatchRemedy =
  'another version declared it otherwise: stop the apps, delete it when it is empty, and start them';

async function queues(
  connection: ChannelModel,
  topology: Topology,
  context: ContextName,
): Promise<Finding[]> {
  const requests = await requestQueues(connection, topology, context);
  if (requests.some(({ state }) => state === 'fail')) return requests;
  const other = await otherFault(connection, topology, context);
  if (!other) return requests;
  return [...requests.filter(({ state }) => state !== 'ok'), other];
}

/** What is wrong with the queues of a context whose requests are consumed. */
async function otherFault(
  connection: ChannelModel,
  topology: Topology,
  context: ContextName,
): Promise<Finding | null> {
  let hearers: number | null = null;
  const declare = [
    async (channel: Channel) => {
      for (const route of requestRoutes) {
        await topology.declareRequestQueue(channel, context, route);
      }
    },
    async (channel: Channel) => {
      // One that is not there is declared by its app alone.
      const { consumerCount } = await channel.checkQueue(topology.eventQueue(context));
      hearers = consumerCount;
      await topology.declareEventQueues(channel, context);
    },
  ];
  for (const attempt of declare) {
    const fault = await faultOf(connection, attempt);
    if (fault?.code === 406) return fail(fault.message, mismatchRemedy);
    if (fault?.code === 403) {
      return warn(
        'replicas consume its requests; the arguments of its queues were not compared',
        `give the doctor the user of ${context} in ${context.toUpperCase()}_AMQP_URL`,
      );
    }
  }
  if (hearers === 0) {
    return fail('nobody takes its events', `see in the log of ${context} why it does not`);
  }
  const parked = await lookAtQueue(connection, topology.parkedQueue(context));
  return parked.messageCount > 0
    ? warn(
        `${parked.messageCount} events are parked`,
        'see why, and replay or drop them: registrar parked list',
      )
    : null;
}
