import type { Context } from '#libs/contracts';
import { Topology } from './topology.ts';

/** What has a user of its own at the broker. */
export type BrokerUser = Context | 'gateway' | 'operator';

/**
 * What a user may do at the broker (RabbitMQ manual, Access Control): regular expressions over the
 * names of exchanges and queues, and for an exchange over the routing keys that it may publish
 * under and bind queues to.
 */
export interface BrokerPermissions {
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly { exchange: string; write: string; read: string }[];
}

/** Whom each app asks. */
const asks: Readonly<Record<BrokerUser, readonly Context[]>> = {
  gateway: ['identity', 'catalog', 'enrolment'],
  identity: [],
  catalog: ['identity'],
  enrolment: ['identity', 'catalog', 'crawler'],
  crawler: ['identity'],
  provider: [],
  operator: ['identity', 'catalog', 'enrolment', 'crawler', 'provider'],
};
export const brokerUsers = Object.keys(asks) as BrokerUser[];

const isContext = (user: BrokerUser): user is Context => user !== 'gateway' && user !== 'operator';

/**
 * All that an app needs at the broker, and nothing else: its own queues, the exchanges, and the
 * default exchange if it answers. That one reaches every queue, which RabbitMQ cannot limit: an
 * app may put messages into another's queue, but never take any out.
 */
export function brokerPermissions(user: BrokerUser, namespace: string): BrokerPermissions {
  const { requests, events } = new Topology(namespace);
  const exchanges = [requests, events];
  // Topology names them so.
  const queues = `${namespace}.(requests|events|retry|parked|broadcast).${user}(\\..+)?`;
  const answers = isContext(user);
  const listens = user !== 'operator';
  const names = (...given: (string | false)[]) =>
    `^(${given
      .filter((name) => name !== false)
      .map((name) => name.replaceAll(/(?<!\\)\.(?!\+)/g, '\\.'))
      .join('|')})$`;
  return {
    configure: names(...exchanges, listens && queues),
    write: names(requests, answers && events, answers && 'amq.default', listens && queues),
    read: names(answers && requests, listens && events, listens && queues),
    topics: [
      {
        exchange: requests,
        // Its own: what it took and did not begin it gives back.
        write: names(...asks[user], answers && user),
        read: names(answers && user),
      },
      {
        exchange: events,
        write: answers ? `^${user}\\.` : names(),
        // Those that are for it, and broadcasts.
        read: listens ? `^[^.]+\\.[^.]+(\\.${user})?$` : names(),
      },
    ],
  };
}

/**
 * What all apps may do in a virtual host, for `rabbitmqctl import_definitions` (RabbitMQ manual,
 * Definition Export and Import). It names users, which must exist: `prefix` and the app's name.
 */
export function permissionDefinitions(namespace: string, vhost: string, prefix: string) {
  const users = brokerUsers.map((user) => {
    const { topics, ...permissions } = brokerPermissions(user, namespace);
    return { place: { user: `${prefix}${user}`, vhost }, topics, permissions };
  });
  return {
    permissions: users.map(({ place, permissions }) => ({ ...place, ...permissions })),
    topic_permissions: users.flatMap(({ place, topics }) =>
      topics.map((topic) => ({ ...place, ...topic })),
    ),
  };
}
