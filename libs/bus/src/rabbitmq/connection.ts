import { Failure } from '@registrar/contracts';
import {
  clock,
  exponentialDelay,
  isProgrammingError,
  logFailedWork,
  type Logger,
  productVersion,
  withDeadline,
} from '@registrar/platform';
import { type ChannelModel, connect } from 'amqplib';
import { brokerTls } from './broker-tls.ts';
import { type ChannelOwner, OwnedChannel } from './owned-channel.ts';

/** The longest pause bounds how long callers still fail after the broker has returned. */
const pauseMsRange = { first: 100, longest: 2_000 };
const connectTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;

/** A connection that receives nothing for about twice this time is considered lost: seconds. */
const heartbeatSeconds = 5;

/**
 * An app's connection to RabbitMQ. When it is lost, the app reconnects by itself, with growing pauses.
 * A channel that fails, or whose queue is away, is opened again alone; the others go on. The
 * connection also tracks whether the broker blocks publishers.
 */
export class RabbitMqConnection {
  readonly #channels: OwnedChannel[] = [];
  readonly #reconnects: (() => void)[] = [];
  readonly #stop = new AbortController();
  readonly #url: string;
  #current: ChannelModel | null = null;
  #blocked = false;
  /** Whether each channel was tried on this connection; and on any. */
  #opened = false;
  #wasOpen = false;

  constructor(
    url: string,
    private readonly app: string,
    private readonly namespace: string,
    private readonly log: Logger,
  ) {
    const address = new URL(url);
    if (!address.searchParams.has('heartbeat')) {
      address.searchParams.set('heartbeat', String(heartbeatSeconds));
    }
    this.#url = address.href;
  }

  /** Adds the owner of a channel. Channels are opened in the order in which their owners were added. */
  add(owner: ChannelOwner): void {
    const isCurrent = (connection: ChannelModel) => this.#current === connection;
    const changed = (isOpen: boolean) => this.#changed(isOpen);
    this.#channels.push(new OwnedChannel(owner, this.log, isCurrent, changed));
  }

  /** Calls `listener` after each reconnect, and after a channel was opened again. */
  onReconnect(listener: () => void): void {
    this.#reconnects.push(listener);
  }

  /** Whether the app is connected and the broker accepts messages. */
  get usable(): boolean {
    return this.#current !== null && !this.#blocked;
  }

  /** Why the app can neither send nor receive all its messages, as texts without secrets. */
  get faults(): readonly string[] {
    if (!this.usable) return ['RabbitMQ is unreachable or blocks publishers'];
    return this.#channels.map(({ fault }) => fault).filter((fault) => fault !== null);
  }

  /** @throws {Failure} `unavailable` while disconnected or while the broker blocks publishers */
  assertUsable(): void {
    if (!this.#current) throw new Failure('unavailable', 'RabbitMQ is unreachable');
    if (this.#blocked) throw new Failure('unavailable', 'RabbitMQ blocks publishers');
  }

  /**
   * Resolves when the app is connected and has tried to open each channel; missing ones follow. Tries to
   * connect without end, because an app may start before its broker.
   *
   * @throws a programming error of the first connection, which would repeat itself
   */
  async open(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#connect();
        this.#wasOpen = true;
        return;
      } catch (error) {
        if (!this.#wasOpen && isProgrammingError(error)) throw error;
        if (signal.aborted) return;
        const reason = Failure.from(error).message;
        // By chance, so that not all apps come back at once.
        const delayMs = exponentialDelay(failures, pauseMsRange);
        const again = Math.round(delayMs * (0.5 + Math.random() / 2));
        const fields = { reason, again_in_ms: again };
        logFailedWork(this.log, error, fields, 'RabbitMQ cannot be reached');
        await clock.sleep(again, signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    const connection = this.#current;
    this.#current = null;
    await withinCloseTimeout(Promise.all(this.#channels.map((channel) => channel.close())));
    if (connection) await withinCloseTimeout(connection.close());
  }

  async #connect(): Promise<void> {
    const connection = await connect(this.#url, {
      // With Nagle's algorithm a single request takes 44 ms instead of 0.55 ms.
      noDelay: true,
      timeout: connectTimeoutMs,
      // By these, RabbitMQ's management API shows what the other end of a connection is.
      clientProperties: {
        connection_name: `registrar ${this.app}`,
        product: 'Registrar',
        version: productVersion,
        namespace: this.namespace,
      },
      ...brokerTls(this.#url),
    });
    const { promise: failure, reject: rejectFailure } = Promise.withResolvers<never>();
    failure.catch(() => undefined);
    const fail = (reason: string) => {
      rejectFailure(new Error(reason));
      this.#lost(connection, reason);
    };
    connection.on('error', (error: Error) => fail(error.message));
    connection.on('close', () => fail('the connection was closed'));
    connection.on('blocked', (reason: string) => {
      this.#blocked = true;
      for (const channel of this.#channels) channel.owner.connectionBlocked?.();
      this.log.warn({ reason }, 'RabbitMQ blocks publishers: see its memory and disk alarms');
    });
    connection.on('unblocked', () => (this.#blocked = false));
    if (this.#stop.signal.aborted) {
      await withinCloseTimeout(connection.close());
      return;
    }
    this.#blocked = false;
    this.#opened = false;
    // A handler may send requests before the last channel is open.
    this.#current = connection;
    for (const channel of this.#channels) {
      await Promise.race([channel.open(connection, !this.#wasOpen), failure]);
    }
    this.#opened = true;
    this.#openNeeded(connection);
  }

  #changed(isOpen: boolean): void {
    const connection = this.#current;
    if (!connection || !this.#opened) return;
    if (isOpen) this.#notifyReconnected();
    else this.#openNeeded(connection);
  }

  #openNeeded(connection: ChannelModel): void {
    for (const channel of this.#channels) void channel.open(connection, false);
  }

  #lost(connection: ChannelModel, reason: string): void {
    if (this.#current !== connection) return;
    const opened = this.#opened;
    this.#current = null;
    for (const channel of this.#channels) channel.lost();
    this.log.warn({ reason }, 'the connection to RabbitMQ was lost');
    void connection.close().catch(() => undefined);
    // Otherwise the caller of #connect() repeats the attempt.
    if (!opened) return;
    void this.open().then(() => {
      if (!this.#current) return;
      this.log.info('reconnected to RabbitMQ');
      this.#notifyReconnected();
    });
  }

  #notifyReconnected(): void {
    for (const listener of this.#reconnects) listener();
  }
}

/** Resolves when the broker has confirmed a close, or after a timeout. */
async function withinCloseTimeout(closing: Promise<unknown>): Promise<void> {
  const deadline = clock.now() + closeTimeoutMs;
  await withDeadline(closing, deadline, 'closing').catch(() => undefined);
}
