import {
  requestQueueNumbers,
  type RequestRoute,
  requestRoutes,
  type Topology,
} from '@registrar/bus';
import type { ContextName } from '@registrar/bootstrap';
import type { ChannelModel } from 'amqplib';
import { lookAtQueue } from './channel-faults.ts';
import { fail, type Finding, ok, warn } from './check.ts';

/** A request queue, as far as RabbitMQ shows it without permissions. */
interface RequestQueue {
  readonly name: string;
  readonly consumers: number;
  /** The node of the queue, which is away; null when the queue is there, or does not exist. */
  readonly awayNode: string | null;
}

/** Whether replicas of a context consume its requests, and from which queues. */
export async function requestQueues(
  connection: ChannelModel,
  topology: Topology,
  context: ContextName,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const route of requestRoutes) {
    const finding = await requestsOf(connection, topology, context, route);
    if (finding?.state === 'fail') return [finding];
    if (finding) found.push(finding);
  }
  return found;
}

async function requestsOf(
  connection: ChannelModel,
  topology: Topology,
  context: ContextName,
  route: RequestRoute,
): Promise<Finding | null> {
  const [first, ...replacements] = await Promise.all(
    requestQueueNumbers.map((number) =>
      queueOf(connection, topology.requestQueue(context, route, number)),
    ),
  );
  const { name, consumers, awayNode } = first!;
  if (awayNode === null) {
    // The same replicas consume the requests of the operator.
    if (route === 'operator') return null;
    return consumers > 0
      ? ok(`${replicas(consumers)} its requests`)
      : fail(
          'no replica consumes its requests',
          `start ${context}; if it runs, see its log, and end it if it is frozen and writes none`,
        );
  }
  const away = `the RabbitMQ node ${awayNode} of ${name} is away`;
  const replacement = replacements.find((queue) => queue.consumers > 0);
  return replacement
    ? warn(
        `${away}; ${replicas(replacement.consumers)} from the replacement ${replacement.name}`,
        'start the node again; see on another one: rabbitmqctl cluster_status',
      )
    : fail(
        `${away}, and no replica consumes from a replacement`,
        `start the node again (see on another one: rabbitmqctl cluster_status), and ${context} if ` +
          'it does not run',
      );
}

const replicas = (count: number): string =>
  count === 1 ? '1 replica consumes' : `${count} replicas consume`;

async function queueOf(connection: ChannelModel, name: string): Promise<RequestQueue> {
  const { consumerCount: consumers, fault } = await lookAtQueue(connection, name);
  const [, node = null] = /home node '([^']+)' of durable queue/.exec(fault?.message ?? '') ?? [];
  return { name, consumers, awayNode: node };
}
