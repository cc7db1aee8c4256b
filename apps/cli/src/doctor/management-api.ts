import { brokerTls } from '@registrar/bus';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getEncrypted } from 'node:https';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { CheckFailed, fail } from './check.ts';
import { tlsFault } from './tls-faults.ts';

/** How long RabbitMQ may take for an answer: milliseconds. */
const requestTimeoutMs = 10_000;

const queues = z.array(
  z.object({
    name: z.string(),
    type: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
);
/** The policies or the operator policies of a virtual host (RabbitMQ manual, Policies). */
const policies = z.array(
  z.object({
    name: z.string(),
    pattern: z.string(),
    /** `all`, `queues`, `exchanges`, or the queues of one type. */
    'apply-to': z.string(),
    definition: z.record(z.string(), z.unknown()),
    priority: z.number(),
  }),
);
export type BrokerPolicy = z.output<typeof policies>[number];

/** Connections without the properties of Registrar's own are those of other programs. */
const connections = z.array(
  z.object({
    client_properties: z.object({
      connection_name: z.string().optional(),
      product: z.string().optional(),
      version: z.string().optional(),
      namespace: z.string().optional(),
    }),
  }),
);

/** What RabbitMQ's management API reports of a virtual host. */
export type ManagedBroker = Awaited<ReturnType<typeof askManagement>>;

/**
 * Asks RabbitMQ's management API (RabbitMQ manual, HTTP API Reference).
 *
 * @param managementUrl with a user of its own, or that of `brokerUrl`
 * @param brokerUrl names the virtual host, and the authority of an `https` URL's certificate
 * @throws {CheckFailed} with the reason
 */
export async function askManagement(managementUrl: string, brokerUrl: string) {
  const management = new URL(managementUrl);
  const broker = new URL(brokerUrl);
  const vhost = decodeURIComponent(broker.pathname.slice(1)) || '/';
  const { username, password } = management.username ? management : broker;
  const user = decodeURIComponent(username);
  const credentials = `${user}:${decodeURIComponent(password)}`;
  const root = management.origin + management.pathname.replace(/\/$/, '');
  const ask = async <Answer>(path: string, answer: z.ZodType<Answer>, columns = '') => {
    const url = `${root}/api/${path}${columns && `?columns=${columns}`}`;
    const response = await get(url, credentials, brokerUrl).catch((error: unknown) => {
      throw new CheckFailed(unreachable(management.host, error as Error));
    });
    const body = await json(response).catch(() => null);
    const parsed = answer.safeParse(body);
    if (!parsed.success) {
      throw new CheckFailed(refusal(response.statusCode ?? 0, body, user, vhost));
    }
    return parsed.data;
  };
  const place = encodeURIComponent(vhost);
  const [found, ordinary, operators, connected] = await Promise.all([
    ask(`queues/${place}`, queues, 'name,type,arguments'),
    ask(`policies/${place}`, policies),
    ask(`operator-policies/${place}`, policies),
    // Those of the user alone, unless the user has the tag `monitoring`. A broker may have its statistics disabled.
    ask(`vhosts/${place}/connections`, connections, 'client_properties').catch(() => []),
  ]);
  return {
    vhost,
    queues: found,
    policies: ordinary,
    operatorPolicies: operators,
    connections: connected,
    user,
  };
}

/** Sends a GET request. `fetch` has no option for the authority of a certificate. */
const get = (url: string, credentials: string, brokerUrl: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { auth: credentials, signal: AbortSignal.timeout(requestTimeoutMs) };
    const request = url.startsWith('https:')
      ? getEncrypted(url, { ...options, ...brokerTls(brokerUrl) }, resolve)
      : getPlain(url, options, resolve);
    request.on('error', reject);
  });

function unreachable(host: string, error: NodeJS.ErrnoException) {
  const setting = 'AMQP_MANAGEMENT_URL';
  return (
    tlsFault(error, { name: 'RabbitMQ', host, setting, authority: 'cacertfile of AMQP_URL' }) ??
    fail(
      `RabbitMQ's management API cannot be reached at ${host} (${error.code ?? error.message})`,
      'let the broker have it (rabbitmq-plugins enable rabbitmq_management), or correct ' +
        `${setting}; then see the network between`,
    )
  );
}

const refused = z.object({ reason: z.string() });

function refusal(status: number, body: unknown, user: string, vhost: string) {
  if (status === 401) {
    const { data } = refused.safeParse(body);
    return fail(
      `RabbitMQ's management API refuses ${user}${data ? `: ${data.reason}` : ''}`,
      `put the right password into AMQP_MANAGEMENT_URL, let ${user} into the virtual host ` +
        `${vhost}, or: rabbitmqctl set_user_tags ${user} management`,
    );
  }
  return fail(
    `what answers at AMQP_MANAGEMENT_URL with ${status} is not the management API of a RabbitMQ ` +
      `with the virtual host ${vhost}`,
    'correct AMQP_MANAGEMENT_URL or AMQP_URL',
  );
}
