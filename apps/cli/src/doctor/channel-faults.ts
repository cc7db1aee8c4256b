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
