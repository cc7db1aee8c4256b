import { Failure } from '#libs/contracts';
import type { ConfirmChannel } from 'amqplib';
import { assertSendable } from '../message-content.ts';
import type { Reply } from './request-messages.ts';

/** How large a message of replies grows: characters. */
const batchSize = 256 * 1024;

/** The replies to one caller that wait for the message before them to be confirmed. */
interface Batch {
  readonly texts: string[];
  sending: boolean;
}

/**
 * Sends replies. A lone one leaves at the end of this turn of the event loop; those that come
 * while a message to the same caller is not yet confirmed leave together when it is.
 */
export class ReplyBatches {
  readonly #batches = new Map<string, Batch>();
  #lost = false;

  constructor(private readonly channel: ConfirmChannel) {}

  /** @param name that of the request, for the failure which takes the place of too large a reply */
  add(replyTo: string, reply: Reply, name: string): void {
    if (this.#lost) return;
    let batch = this.#batches.get(replyTo);
    if (!batch) {
      batch = { texts: [], sending: false };
      this.#batches.set(replyTo, batch);
    }
    batch.texts.push(serialized(reply, name));
    if (batch.sending) return;
    batch.sending = true;
    const first = batch;
    setImmediate(() => this.#send(replyTo, first));
  }

  /** The channel went away, and with it the way to those who have asked. */
  lost(): void {
    this.#lost = true;
    this.#batches.clear();
  }

  /** Sends what waits, without waiting for any confirm. */
  flush(): void {
    for (const [replyTo, { texts }] of this.#batches) {
      while (texts.length > 0) this.channel.publish('', replyTo, takeMessage(texts));
    }
  }

  #send(replyTo: string, batch: Batch): void {
    if (this.#lost) return;
    if (batch.texts.length === 0) {
      this.#batches.delete(replyTo);
      return;
    }
    this.channel.publish('', replyTo, takeMessage(batch.texts), {}, () =>
      this.#send(replyTo, batch),
    );
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
