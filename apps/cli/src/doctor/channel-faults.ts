import type { Channel, ChannelModel } from 'amqplib';

/** Why the broker closed a channel on which `work` was tried; null when it did not. */
export async function faultOf(
  connection: ChannelModel,
  work: (channel: Channel) => Promise<unknown>,
): Promise<(Error & { code: number }) | null> {
  const channel = await connection.createChannel();
  const fault = new Promise<Error & { code: number }>((resolve) =>
    channel.once('error', (error: Error & { code: number }) => resolve(error)),
  );
  try {
    await work(channel);
    await channel.close();
    return null;
  } catch {
    return fault;
  }
}

/** Looks at a queue, for which no permission is needed; counts zero where it is not there. */
export async function lookAtQueue(connection: ChannelModel, queue: string) {
  let counts = { consumerCount: 0, messageCount: 0 };
  const fault = await faultOf(connection, async (channel) => {
    counts = await channel.checkQueue(queue);
  });
  return { ...counts, fault };
}
