import { Failure } from '@registrar/contracts';
import type { ConfirmChannel } from 'amqplib';
import { assertSendable } from '../message-content.ts';
import type { ChannelOwner, OpeningChannel } from './owned-channel.ts';
import { recipientHeader, type Reply, signs } from './request-messages.ts';
import { RequestsInHand } from './requests-in-hand.ts';
import type { Senders } from './senders.ts';

/** The size at which a message of replies is full: characters. */
const batchSize = 256 * 1024;

/** Who sent a request, and where its reply goes. */
export interface Caller {
  readonly sender: string;
  readonly replyTo: string;
}

/** The replies to one caller that wait until the previous message is confirmed. */
interface Batch {
  readonly caller: Caller;
  readonly texts: string[];
  sending: boolean;
}

/**
 * Sends replies in batches. A single reply is sent at the end of this turn of the event loop. Replies
 * that follow while a message to the same caller is unconfirmed are sent together after its confirm.
 * They have a channel of their own, so that the loss of a request queue does not affect them.
 */
export class ReplyBatches implements ChannelOwner {
  readonly purpose = 'replies';
  readonly #batches = new Map<string, Batch>();
  readonly inHand = new RequestsInHand((caller, ids) => this.tell(caller, 'inHand', ids));
  #channel: ConfirmChannel | null = null;

  constructor(private readonly senders: Senders) {}

  async openChannel(opening: OpeningChannel): Promise<void> {
    this.#channel = await opening.confirmChannel();
    this.inHand.start();
  }

  /** The callers' requests have failed or will be sent again. */
  channelLost(): void {
    this.#channel = null;
    this.#batches.clear();
    this.inHand.stop();
  }

  /** Tells a caller at once what has become of its messages or requests (`signs`). */
  tell({ sender, replyTo }: Caller, sign: keyof typeof signs, ids: readonly number[]): void {
    const headers = { [recipientHeader]: sender, [signs[sign]]: ids.join(' ') };
    const properties = { ...this.senders.own, headers };
    this.#channel?.publish('', replyTo, Buffer.from('[]'), properties);
  }

  /** @param name of the request, for the failure that replaces a reply which is too large */
  add(caller: Caller, reply: Reply, name: string): void {
    if (!this.#channel) return;
    const key = `${caller.sender} ${caller.replyTo}`;
    let batch = this.#batches.get(key);
    if (!batch) {
      batch = { caller, texts: [], sending: false };
      this.#batches.set(key, batch);
    }
    batch.texts.push(serialized(reply, name));
    if (batch.sending) return;
    batch.sending = true;
    const first = batch;
    setImmediate(() => this.#send(key, first));
  }

  /** Sends all waiting replies without waiting for confirms. */
  flush(): void {
    for (const batch of this.#batches.values()) {
      while (batch.texts.length > 0) this.#publish(batch);
    }
  }

  #send(key: string, batch: Batch): void {
    // The batches of a lost channel are dropped.
    if (this.#batches.get(key) !== batch) return;
    if (batch.texts.length === 0) {
      this.#batches.delete(key);
      return;
    }
    this.#publish(batch, () => this.#send(key, batch));
  }

  #publish({ caller, texts }: Batch, confirmed?: () => void): void {
    const content = takeMessage(texts);
    const headers = { [recipientHeader]: caller.sender };
    const properties = { ...this.senders.own, headers };
    this.#channel?.publish('', caller.replyTo, content, properties, confirmed);
  }
}

function takeMessage(texts: string[]): Buffer {
  let size = 0;
  let count = 0;
  for (const text of texts) {
    if (size >= batchSize) break;
    size += text.length;
    count += 1;
  }
  return Buffer.from(`[${texts.splice(0, count).join(',')}]`);
}

function serialized(reply: Reply, name: string): string {
  const text = JSON.stringify(reply);
  try {
    assertSendable(text, `the reply to ${name}`);
    return text;
  } catch (error) {
    return JSON.stringify({ id: reply.id, failure: Failure.from(error).toWire() } satisfies Reply);
  }
}
