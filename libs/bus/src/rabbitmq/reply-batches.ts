import { Failure } from '#libs/contracts';
import type { Channel } from 'amqplib';
import { assertSendable } from './message-content.ts';
import type { Reply } from './request-messages.ts';

/** How large a message of replies grows before it leaves: characters. */
const batchSize = 256 * 1024;

interface Batch {
  texts: string[];
  size: number;
}

/** Sends replies; those that are ready in the same turn of the event loop travel together. */
export class ReplyBatches {
  readonly #batches = new Map<string, Batch>();
  #lost = false;

  constructor(private readonly channel: Channel) {}

  /** @param name that of the request, for the failure which takes the place of too large a reply */
  add(replyTo: string, reply: Reply, name: string): void {
    if (this.#lost) return;
    const text = serialized(reply, name);
    if (this.#batches.size === 0) setImmediate(() => this.flush());
    const batch = this.#batches.get(replyTo) ?? { texts: [], size: 0 };
    this.#batches.set(replyTo, batch);
    batch.texts.push(text);
    batch.size += text.length;
    if (batch.size >= batchSize) this.#send(replyTo, batch);
  }

  /** The channel went away, and with it the way to those who have asked. */
  lost(): void {
    this.#lost = true;
    this.#batches.clear();
  }

  flush(): void {
    for (const [replyTo, batch] of this.#batches) this.#send(replyTo, batch);
    this.#batches.clear();
  }

  #send(replyTo: string, batch: Batch): void {
    if (batch.texts.length === 0) return;
    this.channel.publish('', replyTo, Buffer.from(`[${batch.texts.join(',')}]`));
    batch.texts = [];
    batch.size = 0;
  }
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
