import { Topology } from '@registrar/bus';
import type { BusApp } from '@registrar/contracts';
import { type ChannelModel, type ConfirmChannel, connect, type Options } from 'amqplib';
import type { TargetBroker } from './target.ts';

/** Someone who has the account of an app at the broker. */
export class Intruder {
  private constructor(
    readonly app: BusApp,
    readonly topology: Topology,
    readonly connection: ChannelModel,
  ) {}

  static async connect(broker: TargetBroker, app: BusApp): Promise<Intruder> {
    const connection = await connect(broker.amqpUrl(app));
    return new Intruder(app, new Topology(broker.namespace), connection);
  }

  /** The properties of a message from the account of the intruder. */
  get own(): Options.Publish {
    return { userId: this.app, appId: this.app };
  }

  /** Whether the broker permits what is attempted on a channel of its own, which it closes if not. */
  async isPermitted(attempt: (channel: ConfirmChannel) => unknown): Promise<boolean> {
    const channel = await this.connection.createConfirmChannel();
    const refused = new Promise<false>((resolve) => channel.once('error', () => resolve(false)));
    const done = async () => {
      await attempt(channel);
      await channel.waitForConfirms();
      return true;
    };
    const isPermitted = await Promise.race([refused, done().catch(() => refused)]);
    if (isPermitted) await channel.close();
    return isPermitted;
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
