import { type QueueDeclaration, Topology } from '@registrar/bus';
import { contexts } from '@registrar/bootstrap';
import { mismatchRemedy } from './broker-checks.ts';
import { type Governed, policyChanges } from './broker-policies.ts';
import { type Check, fail, type Finding, ok, sharing, warn } from './check.ts';
import { askManagement, type BrokerPolicy, type ManagedBroker } from './management-api.ts';
import { versions } from './versions-check.ts';

/** Of what AMQP does not show of a broker: the arguments of queues, and policies. */
export function managementChecks(
  managementUrl: string,
  brokerUrl: string,
  namespace: string,
): Check[] {
  const topology = new Topology(namespace);
  return sharing(
    { open: () => askManagement(managementUrl, brokerUrl), close: async () => undefined },
    [
      { name: 'queue arguments', look: async (broker) => queueArguments(broker, topology) },
      { name: 'policies', look: async (broker) => policies(broker, topology, namespace) },
      { name: 'versions', look: async (broker) => versions(broker, namespace) },
    ],
  );
}

/** Where there is no management API to look at. */
export const withoutManagement: Check = {
  name: 'policies',
  look: async () =>
    warn(
      'AMQP tells neither policies nor the arguments of queues, so that they were not checked',
      'set AMQP_MANAGEMENT_URL to the management API of RabbitMQ, such as http://localhost:15672',
    ),
};

const typeOf = ({ arguments: own }: QueueDeclaration): 'quorum' | 'classic' =>
  own['x-queue-type'] === 'quorum' ? 'quorum' : 'classic';

function queueArguments({ queues }: ManagedBroker, topology: Topology): Finding[] {
  const found = new Map(queues.map((queue) => [queue.name, queue]));
  const declared = contexts.flatMap((context) => topology.declarationsOf(context));
  const present = declared.filter(({ name }) => found.has(name));
  const faults = present.flatMap((queue) => {
    const differences = differencesOf(queue, found.get(queue.name)!);
    return differences.length === 0
      ? []
      : [fail(`${queue.name} has ${differences.join(', ')}`, mismatchRemedy)];
  });
  return faults.length > 0
    ? faults
    : [ok(`those of ${present.length} queues are as this version declares them`)];
}

function differencesOf(
  queue: QueueDeclaration,
  { type, arguments: actual }: ManagedBroker['queues'][number],
): string[] {
  const own: QueueDeclaration['arguments'] = queue.arguments;
  const wanted = typeOf(queue);
  const keys = [...new Set([...Object.keys(own), ...Object.keys(actual)])];
  return [
    ...(type === wanted ? [] : [`the type ${type} instead of ${wanted}`]),
    // A virtual host with a default type adds it.
    ...keys
      .filter((key) => key !== 'x-queue-type' && actual[key] !== own[key])
      .map((key) => `${key} ${shown(actual[key])} instead of ${shown(own[key])}`),
  ];
}

const shown = (value: unknown): string => (value === undefined ? 'unset' : JSON.stringify(value));

function policies(broker: ManagedBroker, topology: Topology, namespace: string): Finding[] {
  const governed = governedBy(topology, broker, namespace);
  const sorts = [
    ['policy', broker.policies],
    ['operator policy', broker.operatorPolicies],
  ] as const;
  const faults = sorts.flatMap(([sort, found]) => {
    const [known, unknown] = sortedByPattern(found);
    return [
      ...policyChanges(known, governed).map(({ policy, key, names }) =>
        fail(
          `the ${sort} ${policy.name} sets ${key} of ${shownNames(names)} to ` +
            `${JSON.stringify(policy.definition[key])}: ${consequence(key)}`,
          `give it a pattern that leaves them out, or: rabbitmqctl ` +
            `clear_${sort.replace(' ', '_')} --vhost ${broker.vhost} ${policy.name}`,
        ),
      ),
      ...unknown.map(({ name, pattern }) =>
        warn(
          `the pattern of the ${sort} ${name} was not understood: ${pattern}`,
          `see whether it matches names that begin with ${namespace}, and what it sets`,
        ),
      ),
    ];
  });
  const count = broker.policies.length + broker.operatorPolicies.length;
  return faults.length > 0
    ? faults
    : [ok(`of ${count} in the virtual host ${broker.vhost}, none conflicts with Registrar`)];
}

/** The exchanges and queues of an installation; those of broadcasts as far as they are there. */
function governedBy(topology: Topology, broker: ManagedBroker, namespace: string): Governed[] {
  const declared = contexts.flatMap((context) => topology.declarationsOf(context));
  const broadcasts = broker.queues
    .filter(({ name }) => name.startsWith(`${namespace}.broadcast.`))
    .map(({ name }) => ({ name, arguments: {} }));
  return [
    ...topology.exchanges.map((name) => ({
      name,
      arguments: {},
      kind: 'exchange' as const,
    })),
    ...[...declared, ...broadcasts].map((queue) => ({ ...queue, kind: typeOf(queue) })),
  ];
}

/** Erlang's expressions are not quite JavaScript's. */
function sortedByPattern(found: readonly BrokerPolicy[]) {
  const isKnown = ({ pattern }: BrokerPolicy) => {
    try {
      return Boolean(new RegExp(pattern));
    } catch {
      return false;
    }
  };
  return [found.filter(isKnown), found.filter((policy) => !isKnown(policy))] as const;
}

const shownNames = ([first, ...others]: readonly string[]): string =>
  others.length === 0 ? `${first}` : `${first} and ${others.length} more`;

function consequence(key: string): string {
  if (key === 'expires') return 'they vanish, with what waits in them, when nobody takes from them';
  if (key === 'message-ttl') return 'what waits longer vanishes';
  if (key === 'delivery-limit') return 'events are parked that are only given back';
  if (key === 'alternate-exchange') return 'a caller is not told at once that nobody answers';
  if (key.startsWith('dead-letter')) return 'what they give up goes elsewhere';
  return 'what does not fit is lost or turned away';
}
