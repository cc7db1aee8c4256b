import * as contracts from '@registrar/contracts';
import { type BusApp, busApps, busContexts, type Context, isContext } from '@registrar/contracts';
import { exchangeDeclaration, requestQueueNumbers, Topology } from './topology.ts';

/**
 * The permissions of a user (RabbitMQ manual, Access Control): regular expressions for the names of
 * exchanges and queues, and for each exchange regular expressions for routing keys: `write` for
 * publishing, `read` for binding queues.
 */
export interface BrokerPermissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { exchange: string; write: string; read: string }[];
}

/** Every request and list of the contracts. */
const allRequests = [
  ...Object.values(contracts),
  ...Object.values(contracts.parkedEventRequests).flatMap((each) => Object.values(each)),
].filter((each) => typeof each === 'object' && 'callers' in each);

/** The contexts that an app sends requests to: those of the contracts that name it as a caller. */
export const contextsAskedBy = (app: BusApp): readonly Context[] =>
  busContexts.filter((asked) =>
    allRequests.some(({ context, callers }) => context === asked && callers.includes(app)),
  );

/**
 * Returns the least permissions that an app needs: its own queues, the exchanges, and for a context
 * the default exchange, through which replies go. RabbitMQ cannot limit the queues that the default
 * exchange reaches: a context can send messages to any queue, but read only from its own. Receivers
 * verify who sent a message (docs/decisions/0013-verified-senders.md).
 */
export function brokerPermissions(user: BusApp, namespace: string): BrokerPermissions {
  const asked = contextsAskedBy(user);
  const { requests, operator, events } = new Topology(namespace);
  // The names of queues are those of Topology.
  const queues = `${namespace}.(requests|operator|events|retry|parked|broadcast).${user}(\\..+)?`;
  const handlesRequests = isContext(user);
  const names = (...given: (string | false)[]) =>
    `^(${given
      .filter((name) => name !== false)
      .map((name) => name.replaceAll(/(?<!\\)\.(?!\+)/g, '\\.'))
      .join('|')})$`;
  // The routing keys are those of Topology.requestKey.
  const requestKeys = (...contexts: readonly Context[]) =>
    contexts.length === 0
      ? names()
      : `^(${contexts.join('|')})(\\.[${requestQueueNumbers.slice(1).join('')}])?$`;
  if (user === 'operator') {
    return {
      configure: names(operator),
      write: names(operator),
      read: names(),
      topics: [{ exchange: operator, write: requestKeys(...asked), read: names() }],
    };
  }
  return {
    configure: names(requests, handlesRequests && operator, events, queues),
    write: names(
      requests,
      events,
      // Replies, and requests that the app returns to its queue unstarted.
      handlesRequests && 'amq.default',
      queues,
    ),
    read: names(handlesRequests && requests, handlesRequests && operator, events, queues),
    topics: [
      {
        exchange: requests,
        write: requestKeys(...asked),
        read: handlesRequests ? requestKeys(user) : names(),
      },
      ...(handlesRequests ? [{ exchange: operator, write: names(), read: requestKeys(user) }] : []),
      {
        exchange: events,
        write: handlesRequests ? `^${user}\\.` : `^${user}\\.status\\.console$`,
        read: `^[^.]+\\.[^.]+\\.${user}$`,
      },
    ],
  };
}

/**
 * The permissions of every app's user in a virtual host, for `rabbitmqctl import_definitions` (RabbitMQ
 * manual, Definition Export and Import). The users must exist: their names are `prefix` and the app's name.
 * The definitions contain the exchanges: RabbitMQ 4.3 refuses permissions for an exchange that does not exist.
 */
export function permissionDefinitions({
  namespace,
  vhost,
  prefix,
}: {
  namespace: string;
  vhost: string;
  prefix: string;
}) {
  const users = busApps.map((user) => {
    const { topics, ...permissions } = brokerPermissions(user, namespace);
    return { place: { user: `${prefix}${user}`, vhost }, topics, permissions };
  });
  return {
    exchanges: new Topology(namespace).exchanges.map((name) => ({
      name,
      vhost,
      ...exchangeDeclaration,
    })),
    permissions: users.map(({ place, permissions }) => ({ ...place, ...permissions })),
    topic_permissions: users.flatMap(({ place, topics }) =>
      topics.map((topic) => ({ ...place, ...topic })),
    ),
  };
}
