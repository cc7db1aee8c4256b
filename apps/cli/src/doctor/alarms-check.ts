import type { Duplex } from 'node:stream';
import { type Check, CheckFailed, fail, type Finding, ok } from './check.ts';
import { connectTo } from './broker-checks.ts';

/** Whether RabbitMQ accepts messages, or blocks publishers because a node lacks memory or disk space. */
export const alarmsCheck = (url: string): Check => ({
  name: 'broker alarms',
  look: () =>
    findAlarm(url).catch((error: unknown) => {
      if (!(error instanceof CheckFailed)) throw error;
      // The check of the broker reports it.
      return [];
    }),
});

/** RabbitMQ sends `connection.blocked` when a connection publishes. */
async function findAlarm(url: string): Promise<Finding> {
  const connection = await connectTo(url);
  const reason = new Promise<string>((resolve) => connection.once('blocked', resolve));
  const channel = await connection.createChannel();
  const refused = new Promise<null>((resolve) => channel.once('error', () => resolve(null)));
  // No queue has that name. Without the permission to publish, the channel fails, blocked or not.
  channel.publish('', 'registrar.doctor', Buffer.alloc(0));
  const taken = channel.checkExchange('amq.direct').then(
    () => null,
    () => refused,
  );
  const found = await Promise.race([reason, taken]);
  if (found === null) {
    await connection.close();
    return ok('it accepts messages');
  }
  // A blocked connection is not read any more, so that it cannot be closed in order.
  (connection.connection as unknown as { stream: Duplex }).stream.destroy();
  return fail(
    `RabbitMQ blocks publishers: ${found}`,
    'find the node with rabbitmq-diagnostics alarms, and give it more disk space or memory',
  );
}
