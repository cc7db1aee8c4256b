import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';

/** A part of an app that needs channels, set up again after every reconnect. */
export interface Station {
  /**
   * Answers what begins to take messages, if it does: that is called when every station is set up,
   * because handlers may ask others at once.
   */
  setUp(connection: OpenConnection): Promise<(() => Promise<void>) | void>;
  /** The connection went away, with everything that was under way on it. */
  lost(): void;
  /** The broker takes no messages until further notice, and may not have taken the last ones. */
  blocked?(): void;
}

/** Opens channels whose failure counts as the connection's: there is one way to recover. */
export interface OpenConnection {
  channel(): Promise<Channel>;
  confirmChannel(): Promise<ConfirmChannel>;
  /** Gives the connection up, so that everything is set up anew. */
  giveUp(reason: string): void;
}

/** Milliseconds. */
const firstPause = 100;
/** A broker that is back is found by then: callers are refused meanwhile. */
const longestPause = 2_000;
const connectTimeout = 5_000;
const closeTimeout = 2_000;

/** A connection on which nothing comes for about twice as long is dead: seconds. */
const heartbeat = 5;

/**
 * An app's connection to RabbitMQ. It watches for a lost connection, a closed channel, a cancelled
 * consumer and a blocked broker, and connects again by itself, with growing pauses.
 */
export class RabbitMqConnection {
  readonly #stations: Station[] = [];
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
      address.searchParams.set('heartbeat', String(heartbeat));
    }
    this.#url = address.href;
  }

  add(station: Station): void {
    this.#stations.push(station);
  }

  onReconnect(listener: () => void): void {
    this.#reconnects.push(listener);
  }

  /** Whether there is a broker that takes messages. */
  get usable(): boolean {
    return this.#current !== null && !this.#blocked;
  }

  /** @throws {Failure} `unavailable` while there is no broker that takes messages */
  assertUsable(): void {
    if (!this.#current) throw new Failure('unavailable', 'RabbitMQ is away');
    if (this.#blocked) throw new Failure('unavailable', 'RabbitMQ takes no messages at present');
  }

  /** Resolves when the connection stands and every station is set up; it then looks after itself. */
  async open(): Promise<void> {
    const { signal } = this.#stop;
    let wait = firstPause;
    while (!signal.aborted) {
      try {
        await this.#connect();
        return;
      } catch (error) {
        const reason = Failure.from(error).message;
        // By chance, so that not all apps come back at once.
        const again = Math.round(wait * (0.5 + Math.random() / 2));
        this.log.warn({ reason, again_in_ms: again }, 'RabbitMQ cannot be reached');
        await pause(again, undefined, { signal }).catch(() => undefined);
        wait = Math.min(wait * 2, longestPause);
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const connection = this.#current;
    this.#current = null;
    for (const station of this.#stations) station.lost();
    if (!connection) return;
    // What a channel has sent may be overtaken by the farewell of the connection, not by its own.
    await inTime(Promise.all(this.#channels.map((channel) => channel.close())));
    await inTime(connection.close());
  }

  async #connect(): Promise<void> {
    const connection = await connect(this.#url, {
      // Without it a lone request waits for a delayed acknowledgement: 44 ms against 0.55 ms.
      noDelay: true,
      timeout: connectTimeout,
      clientProperties: { connection_name: `registrar ${this.app}` },
    });
    const { promise: failure, reject: fail } = Promise.withResolvers<never>();
    failure.catch(() => undefined);
    let established = false;
    const giveUp = (reason: string) => {
      fail(new Error(reason));
      if (!established || this.#stop.signal.aborted) return;
      this.#lost(connection, reason);
      void connection.close().catch(() => undefined);
    };
    connection.on('error', (error: Error) => giveUp(error.message));
    connection.on('close', () => giveUp('it was closed'));
    connection.on('blocked', (reason: string) => {
      this.#blocked = true;
      for (const station of this.#stations) station.blocked?.();
      this.log.warn({ reason }, 'RabbitMQ takes no messages at present');
    });
    connection.on('unblocked', () => (this.#blocked = false));
    const channels: Channel[] = [];
    const watched = <Given extends Channel>(channel: Given): Given => {
      channels.push(channel);
      channel.on('error', (error: Error) => giveUp(error.message));
      // Before amqplib calls what is unconfirmed refused.
      channel.prependListener('close', () => giveUp('a channel was closed'));
      return channel;
    };
    const open: OpenConnection = {
      channel: async () => watched(await connection.createChannel()),
      confirmChannel: async () => watched(await connection.createConfirmChannel()),
      giveUp,
    };
    this.#blocked = false;
    try {
      const begins: (() => Promise<void>)[] = [];
      for (const station of this.#stations) {
        const begin = await Promise.race([station.setUp(open), failure]);
        if (begin) begins.push(begin);
      }
      this.#stop.signal.throwIfAborted();
      this.#current = connection;
      this.#channels = channels;
      for (const begin of begins) await Promise.race([begin(), failure]);
      established = true;
    } catch (error) {
      this.#current = null;
      for (const station of this.#stations) station.lost();
      await inTime(connection.close());
      throw error;
    }
  }

  #lost(connection: ChannelModel, reason: string): void {
    if (this.#current !== connection) return;
    this.#current = null;
    for (const station of this.#stations) station.lost();
    this.log.warn({ reason }, 'the connection to RabbitMQ was lost');
    void this.open().then(() => {
      if (!this.#current) return;
      this.log.info('connected to RabbitMQ again');
      for (const listener of this.#reconnects) listener();
    });
  }
}

/** Resolves when the broker has answered a farewell, or did not in time. */
async function inTime(farewell: Promise<unknown>): Promise<void> {
  const timeout = pause(closeTimeout, undefined, { ref: false });
  await Promise.race([farewell.catch(() => undefined), timeout]);
}
