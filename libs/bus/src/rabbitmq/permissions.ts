import type { Context } from '@registrar/contracts';
import { Topology } from './topology.ts';

/** The apps, each of which has its own user at the broker. */
export type BrokerUser = Context | 'gateway' | 'operator';

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

/** Every user with the contexts to which its app declares to send requests. */
export type BrokerUsers = Readonly<Record<BrokerUser, readonly Context[]>>;

const isContext = (user: BrokerUser): user is Context => user !== 'gateway' && user !== 'operator';

/**
 * Returns the least permissions that an app needs: its own queues, the exchanges, and for a context
 * the default exchange, through which replies go. RabbitMQ cannot limit the queues that the default
 * exchange reaches: a context can send messages to any queue, but read only from its own.
 */
export function brokerPermissions(
  user: BrokerUser,
  asks: readonly Context[],
  namespace: string,
): BrokerPermissions {
  const { requests, events } = new Topology(namespace);
  const exchanges = [requests, events];
  // The names of queues are those of Topology.
  const queues = `${namespace}.(requests|events|retry|parked|broadcast).${user}(\\..+)?`;
  const handlesRequests = isContext(user);
  const subscribes = user !== 'operator';
  const names = (...given: (string | false)[]) =>
    `^(${given
      .filter((name) => name !== false)
      .map((name) => name.replaceAll(/(?<!\\)\.(?!\+)/g, '\\.'))
      .join('|')})$`;
  return {
    configure: names(...exchanges, subscribes && queues),
    write: names(
      requests,
      handlesRequests && events,
      handlesRequests && 'amq.default',
      subscribes && queues,
    ),
    read: names(handlesRequests && requests, subscribes && events, subscribes && queues),
    topics: [
      {
        exchange: requests,
        // Its own key is for requests that it returns to its queue unstarted.
        write: names(...asks, handlesRequests && user),
        read: names(handlesRequests && user),
      },
      {
        exchange: events,
        write: handlesRequests ? `^${user}\\.` : names(),
        // Events addressed to it, and broadcasts.
        read: subscribes ? `^[^.]+\\.[^.]+(\\.${user})?$` : names(),
      },
    ],
  };
}

/**
 * The permissions of every app's user in a virtual host, for `rabbitmqctl import_definitions` (RabbitMQ
 * manual, Definition Export and Import). The users must exist: their names are `prefix` and the app's name.
 */
export function permissionDefinitions(
  brokerUsers: BrokerUsers,
  { namespace, vhost, prefix }: { namespace: string; vhost: string; prefix: string },
) {
  const users = Object.entries(brokerUsers).map(([user, asks]) => {
    const { topics, ...permissions } = brokerPermissions(user as BrokerUser, asks, namespace);
    return { place: { user: `${prefix}${user}`, vhost }, topics, permissions };
  });
  return {
    permissions: users.map(({ place, permissions }) => ({ ...place, ...permissions })),
    topic_permissions: users.flatMap(({ place, topics }) =>
      topics.map((topic) => ({ ...place, ...topic })),
    ),
  };
}
