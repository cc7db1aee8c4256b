import {
  clock,
  exponentialDelay,
  isProgrammingError,
  logFailedWork,
  type Logger,
} from '@registrar/platform';
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';

/**
 * A part of an app that owns a channel. The channel is opened again, alone, when it fails or when the
 * owner asks for it, and together with all others after a reconnect.
 */
export interface ChannelOwner {
  /** What the channel is for, such as the name of a queue. */
  readonly purpose: string;
  /** Whether the channel must be opened; absent: always. A channel that is open stays open. */
  isNeeded?(): boolean;
  /** Whether the app works without the channel at present; absent: it does not. */
  isDispensable?(): boolean;
  /** Opens the channel and starts to consume. */
  openChannel(opening: OpeningChannel): Promise<void>;
  /** The channel was lost, with all unconfirmed messages and unacknowledged deliveries. */
  channelLost(): void;
  /** The broker blocks publishers until further notice. It may not have received the last messages. */
  connectionBlocked?(): void;
}

/** Opens the channel of one owner. */
export interface OpeningChannel {
  channel(): Promise<Channel>;
  confirmChannel(): Promise<ConfirmChannel>;
  /** Closes the channel and opens it again. */
  reopen(reason: string): void;
}

/** The pauses between attempts: short, because a queue may return with its node at any time. */
const pauseMsRange = { first: 100, longest: 500 };

/** Keeps the channel of one owner open, on one connection after the other. */
export class OwnedChannel {
  /** Aborted when the channel of the attempt, or its connection, is lost; null if none is open or opening. */
  #attempt: AbortController | null = null;
  #channel: Channel | null = null;
  #fault: string | null = null;

  /**
   * @param isCurrent whether the app still uses a connection
   * @param changed called when the channel was opened or lost, and after each failed attempt
   */
  constructor(
    readonly owner: ChannelOwner,
    private readonly log: Logger,
    private readonly isCurrent: (connection: ChannelModel) => boolean,
    private readonly changed: (isOpen: boolean) => void,
  ) {}

  /** Why the app cannot do its work; null if the channel is open or the app works without it. */
  get fault(): string | null {
    const { owner } = this;
    if (this.#channel || owner.isNeeded?.() === false || owner.isDispensable?.()) return null;
    return `${owner.purpose}: ${this.#fault ?? 'not open yet'}`;
  }

  /**
   * Opens the channel if it is needed and not open. Resolves after one attempt; others follow.
   *
   * @param isStart whether the app starts, so that a defect must end it
   * @throws a programming error, if the app starts
   */
  async open(connection: ChannelModel, isStart: boolean): Promise<void> {
    if (this.#attempt || this.owner.isNeeded?.() === false) return;
    const attempt = (this.#attempt = new AbortController());
    const error = await this.#openOnce(connection, attempt);
    if (!error) return;
    if (isStart && isProgrammingError(error)) throw error;
    this.#failed(error);
    void this.#retry(connection, attempt);
  }

  /** Forgets the channel: it or its connection is lost. */
  lost(): void {
    this.#attempt?.abort();
    this.#attempt = null;
    this.#channel = null;
    this.owner.channelLost();
  }

  /** Closes the channel after its last messages, which closing the connection may overtake. */
  async close(): Promise<void> {
    const channel = this.#channel;
    this.lost();
    await channel?.close();
  }

  async #retry(connection: ChannelModel, attempt: AbortController): Promise<void> {
    const { signal } = attempt;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const delayMs = exponentialDelay(failures, pauseMsRange);
      await clock.sleep(delayMs, signal);
      if (signal.aborted) return;
      if (this.owner.isNeeded?.() === false) {
        this.#attempt = null;
        return;
      }
      const error = await this.#openOnce(connection, attempt);
      if (!error) return;
      this.#failed(error);
    }
  }

  /** Returns why the channel could not be opened; null if it is open, or the attempt was aborted. */
  async #openOnce(connection: ChannelModel, attempt: AbortController): Promise<Error | null> {
    const opened: { channel?: Channel; failure?: Error } = {};
    const fail = (error: Error) => {
      opened.failure ??= error;
      if (this.#attempt !== attempt || !this.#channel) return;
      this.lost();
      closeQuietly(opened.channel);
      // A lost connection is reported as the loss of its channels first.
      setImmediate(() => {
        if (this.isCurrent(connection)) this.#failed(error);
      });
    };
    const watched = <Given extends Channel>(channel: Given): Given => {
      opened.channel = channel;
      channel.on('error', fail);
      // Runs before amqplib reports unconfirmed messages as rejected.
      channel.prependListener('close', () => fail(new Error('the channel was closed')));
      return channel;
    };
    try {
      await this.owner.openChannel({
        channel: async () => watched(await connection.createChannel()),
        confirmChannel: async () => watched(await connection.createConfirmChannel()),
        reopen: (reason) => fail(new Error(reason)),
      });
      // The channel may have failed after its last reply.
      if (opened.failure) throw opened.failure;
    } catch (error) {
      if (attempt.signal.aborted) return null;
      this.owner.channelLost();
      closeQuietly(opened.channel);
      return error as Error;
    }
    if (attempt.signal.aborted) return null;
    this.#channel = opened.channel ?? null;
    const again = this.#fault !== null;
    this.#fault = null;
    if (again)
      this.log.info({ channel: this.owner.purpose }, 'a channel to RabbitMQ is open again');
    this.changed(true);
    return null;
  }

  /** Logs a fault once, not at each attempt. */
  #failed(error: Error): void {
    const fault = faultOf(error.message);
    if (fault !== this.#fault) {
      this.#fault = fault;
      const fields = { channel: this.owner.purpose, reason: fault };
      const failed = 'a channel to RabbitMQ failed and will be opened again';
      logFailedWork(this.log, error, fields, failed);
    }
    this.changed(false);
  }
}

/** Names the cause in the message of an error of RabbitMQ. */
function faultOf(message: string): string {
  const [, node] = /home node '([^']+)' of durable queue/.exec(message) ?? [];
  return node ? `its RabbitMQ node ${node} is away` : message;
}

function closeQuietly(channel: Channel | undefined): void {
  // A channel that is closed already throws.
  void (async () => channel?.close())().catch(() => undefined);
}
