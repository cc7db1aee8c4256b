import { type BusClient, Topology } from '@registrar/bus';
import { contexts, type ContextName } from '@registrar/bootstrap';
import { Failure, parkedEventRequests } from '@registrar/contracts';
import { clock, runInRequestContext, SettingsError } from '@registrar/platform';
import type { ChannelModel } from 'amqplib';
import { randomUUID } from 'node:crypto';
import type { Call } from '../command.ts';
import { connectTo } from './broker-checks.ts';
import { lookAtQueue } from './channel-faults.ts';
import { type Check, CheckFailed, fail, type Finding, ok } from './check.ts';

/** How long a replica may take for the reply to a small request: seconds. */
const replyTime = 3;
/** The most requests to one context. */
const mostRequests = 8;

/**
 * Whether every replica replies. A frozen process keeps its connection to RabbitMQ until heartbeats
 * are missed, and requests that it receives meanwhile get no reply. Needs the keys of the bus.
 */
export const repliesCheck = (brokerUrl: string, namespace: string, ask: Call['ask']): Check => ({
  name: 'replies',
  look: async () => {
    try {
      const connection = await connectTo(brokerUrl);
      try {
        const topology = new Topology(namespace);
        return await ask((bus) => all(bus, connection, topology));
      } finally {
        await connection.close();
      }
    } catch (error) {
      // Other checks report what is wrong with the broker and the keys.
      const isReported = [SettingsError, Failure, CheckFailed].some((of) => error instanceof of);
      if (isReported) return [];
      throw error;
    }
  },
});

async function all(
  bus: BusClient,
  connection: ChannelModel,
  topology: Topology,
): Promise<Finding | Finding[]> {
  const found = await Promise.all(
    contexts.map(async (context) => {
      const queue = topology.requestQueue(context, 'operator');
      const { consumerCount: consumers } = await lookAtQueue(connection, queue);
      return (await allReply(bus, context, consumers)) ? [] : [silent(context, consumers)];
    }),
  );
  const faults = found.flat();
  return faults.length > 0 ? faults : ok('every replica replies');
}

/** RabbitMQ gives one message after another to each consumer in turn. */
async function allReply(bus: BusClient, context: ContextName, consumers: number): Promise<boolean> {
  for (let sent = 0; sent < Math.min(consumers, mostRequests); sent += 1) {
    if (!(await replies(bus, context))) return false;
  }
  return true;
}

/** Whether a small request to a context gets a reply in time; a failure is a reply. */
async function replies(bus: BusClient, context: ContextName): Promise<boolean> {
  const request = { requestId: randomUUID(), deadline: clock.now() + replyTime * 1_000 };
  try {
    const { list } = parkedEventRequests[context];
    await runInRequestContext(request, () => bus.exchange(list, { cursor: null, limit: 1 }));
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code !== 'expired';
  }
}

const silent = (context: ContextName, consumers: number): Finding =>
  fail(
    `${consumers === 1 ? 'the replica' : `one of ${consumers} replicas`} of ${context} does not ` +
      `reply within ${replyTime} s`,
    `find the process of ${context} that is frozen (its /health/live does not respond either) and ` +
      'end it; if each responds, see what its requests wait for: its log, and the checks of locks ' +
      'and connections',
  );
