import { Failure } from '@registrar/contracts';
import type { ConfirmChannel } from 'amqplib';
import { assertSendable } from '../message-content.ts';
import type { Reply } from './request-messages.ts';

/** The size at which a message of replies is full: characters. */
const batchSize = 256 * 1024;

/** The replies to one caller that wait until the previous message is confirmed. */
interface Batch {
  readonly texts: string[];
  sending: boolean;
}

/**
 * Sends replies in batches. A single reply is sent at the end of this turn of the event loop. Replies
 * that follow while a message to the same caller is unconfirmed are sent together after its confirm.
 */
export class ReplyBatches {
  readonly #batches = new Map<string, Batch>();
  #lost = false;

  constructor(private readonly channel: ConfirmChannel) {}

  /** @param name of the request, for the failure that replaces a reply which is too large */
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

  /** Drops all replies: the channel was closed, and the callers' requests have failed. */
  lost(): void {
    this.#lost = true;
    this.#batches.clear();
  }

  /** Sends all waiting replies without waiting for confirms. */
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
