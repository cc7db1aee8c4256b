import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '@registrar/contracts';
import { exponentialDelay, type Logger } from '@registrar/platform';
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { brokerTls } from './broker-tls.ts';

/** A part of an app that owns channels, which are opened again after every reconnect. */
export interface ChannelOwner {
  /**
   * Opens the channels. May return a function that starts to consume: it is called when every owner
   * has its channels, because a handler may send requests at once.
   */
  openChannels(connection: OpenConnection): Promise<(() => Promise<void>) | void>;
  /** The connection was lost, with all unconfirmed messages and pending replies. */
  connectionLost(): void;
  /** The broker blocks publishers until further notice. It may not have received the last messages. */
  connectionBlocked?(): void;
}

/** Opens channels. The failure of a channel closes the connection, so recovery is a reconnect. */
export interface OpenConnection {
  channel(): Promise<Channel>;
  confirmChannel(): Promise<ConfirmChannel>;
  /** Closes the connection and opens a new one with all channels. */
  reconnect(reason: string): void;
}

/** The longest pause bounds how long callers still fail after the broker has returned. */
const pauseMsRange = { first: 100, longest: 2_000 };
const connectTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;

/** A connection that receives nothing for about twice this time is considered lost: seconds. */
const heartbeatSeconds = 5;

/**
 * An app's connection to RabbitMQ. After a lost connection, a closed channel or a cancelled consumer
 * it reconnects by itself, with growing pauses. It also tracks whether the broker blocks publishers.
 */
export class RabbitMqConnection {
  readonly #owners: ChannelOwner[] = [];
  readonly #reconnects: (() => void)[] = [];
  readonly #stop = new AbortController();
  readonly #url: string;
  #current: ChannelModel | null = null;
  #channels: readonly Channel[] = [];
  #blocked = false;

  constructor(
    url: string,
    private readonly app: string,
    private readonly log: Logger,
  ) {
    const address = new URL(url);
    if (!address.searchParams.has('heartbeat')) {
      address.searchParams.set('heartbeat', String(heartbeatSeconds));
    }
    this.#url = address.href;
  }

  add(owner: ChannelOwner): void {
    this.#owners.push(owner);
  }

  onReconnect(listener: () => void): void {
    this.#reconnects.push(listener);
  }

  /** Whether the app is connected and the broker accepts messages. */
  get usable(): boolean {
    return this.#current !== null && !this.#blocked;
  }

  /** @throws {Failure} `unavailable` while disconnected or while the broker blocks publishers */
  assertUsable(): void {
    if (!this.#current) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    if (this.#blocked) throw new Failure('unavailable', 'RabbitMQ blocks publishers');
  }

  /** Resolves when the app is connected, every owner has its channels, and consumers have started. */
  async open(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#connect();
        return;
      } catch (error) {
        const reason = Failure.from(error).message;
        // By chance, so that not all apps come back at once.
        const delayMs = exponentialDelay(failures, pauseMsRange);
        const again = Math.round(delayMs * (0.5 + Math.random() / 2));
        this.log.warn({ reason, again_in_ms: again }, 'RabbitMQ cannot be reached');
        await pause(again, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const connection = this.#current;
    this.#current = null;
    for (const owner of this.#owners) owner.connectionLost();
    if (!connection) return;
    // Closing the connection may overtake messages of a channel; closing the channel does not.
    await withinCloseTimeout(Promise.all(this.#channels.map((channel) => channel.close())));
    await withinCloseTimeout(connection.close());
  }

  async #connect(): Promise<void> {
    const connection = await connect(this.#url, {
      // With Nagle's algorithm a single request takes 44 ms instead of 0.55 ms.
      noDelay: true,
      timeout: connectTimeoutMs,
      clientProperties: { connection_name: `registrar ${this.app}` },
      ...brokerTls(this.#url),
    });
    const { promise: failure, reject: rejectFailure } = Promise.withResolvers<never>();
    failure.catch(() => undefined);
    let established = false;
    const fail = (reason: string) => {
      rejectFailure(new Error(reason));
      if (!established || this.#stop.signal.aborted) return;
      this.#lost(connection, reason);
      void connection.close().catch(() => undefined);
    };
    connection.on('error', (error: Error) => fail(error.message));
    connection.on('close', () => fail('the connection was closed'));
    connection.on('blocked', (reason: string) => {
      this.#blocked = true;
      for (const owner of this.#owners) owner.connectionBlocked?.();
      this.log.warn({ reason }, 'RabbitMQ blocks publishers: see its memory and disk alarms');
    });
    connection.on('unblocked', () => (this.#blocked = false));
    const channels: Channel[] = [];
    const watched = <Given extends Channel>(channel: Given): Given => {
      channels.push(channel);
      channel.on('error', (error: Error) => fail(error.message));
      // Runs before amqplib reports unconfirmed messages as rejected.
      channel.prependListener('close', () => fail('a channel was closed'));
      return channel;
    };
    const open: OpenConnection = {
      channel: async () => watched(await connection.createChannel()),
      confirmChannel: async () => watched(await connection.createConfirmChannel()),
      reconnect: fail,
    };
    this.#blocked = false;
    try {
      const consumerStarts: (() => Promise<void>)[] = [];
      for (const owner of this.#owners) {
        const startConsumer = await Promise.race([owner.openChannels(open), failure]);
        if (startConsumer) consumerStarts.push(startConsumer);
      }
      this.#stop.signal.throwIfAborted();
      this.#current = connection;
      this.#channels = channels;
      for (const start of consumerStarts) await Promise.race([start(), failure]);
      established = true;
    } catch (error) {
      this.#current = null;
      for (const owner of this.#owners) owner.connectionLost();
      await withinCloseTimeout(connection.close());
      throw error;
    }
  }

  #lost(connection: ChannelModel, reason: string): void {
    if (this.#current !== connection) return;
    this.#current = null;
    for (const owner of this.#owners) owner.connectionLost();
    this.log.warn({ reason }, 'the connection to RabbitMQ was lost');
    void this.open().then(() => {
      if (!this.#current) return;
      this.log.info('reconnected to RabbitMQ');
      for (const listener of this.#reconnects) listener();
    });
  }
}

/** Resolves when the broker has confirmed a close, or after a timeout. */
async function withinCloseTimeout(closing: Promise<unknown>): Promise<void> {
  const timeout = pause(closeTimeoutMs, undefined, { ref: false });
  await Promise.race([closing.catch(() => undefined), timeout]);
}
