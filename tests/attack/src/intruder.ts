import { busKeyFileSettings, type BusKeys, readBusKeys, Topology } from '@registrar/bus';
import { messageHeaders } from '@registrar/bus/testing';
import type { BusApp } from '@registrar/contracts';
import { busKeySettings, readSettings } from '@registrar/platform';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { join } from 'node:path';
import type { Target } from './target.ts';

/** Someone who has the account of an app at the broker, and its private key. */
export class Intruder {
  readonly #signers = new Map<string, ReturnType<typeof messageHeaders>>();

  private constructor(
    readonly app: BusApp,
    readonly topology: Topology,
    readonly connection: ChannelModel,
    private readonly keys: BusKeys,
  ) {}

  static async connect(target: Target, app: BusApp): Promise<Intruder> {
    const files = busKeyFileSettings(join(target.dataDirectory, 'bus-keys'), app);
    const keys = readBusKeys(app, readSettings(busKeySettings, files));
    const connection = await connect(target.accounts.amqpUrl(app));
    return new Intruder(app, new Topology(target.namespace), connection, keys);
  }

  /**
   * The headers that authenticate a message of the app.
   *
   * @param sender another app, whose key the intruder does not have
   */
  sign(
    kind: 'request' | 'event',
    destination: string,
    content: Buffer,
    sender: BusApp = this.app,
  ): Readonly<Record<string, string>> {
    const name = `${kind} ${sender} ${destination}`;
    const sign =
      this.#signers.get(name) ?? messageHeaders(this.keys, { kind, sender, destination });
    this.#signers.set(name, sign);
    return sign(content);
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
