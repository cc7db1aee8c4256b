import { Failure } from '@registrar/contracts';
import type { Readable } from 'node:stream';
import type * as z from 'zod';

/** The maximum size of a message: bytes. RabbitMQ 4 closes the channel on more than 16 MiB. */
const maxMessageBytes = 15 * 1024 * 1024;

/** Parses the content of a message as JSON; null when it does not match the schema. */
export function readJson<Schema extends z.ZodType>(
  schema: Schema,
  content: Buffer,
): z.output<Schema> | null {
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** @throws {Failure} `internal` when the text is too large for a message */
export function assertSendable(text: string, what: string): void {
  // UTF-8 takes at most three bytes per UTF-16 code unit.
  if (text.length * 3 <= maxMessageBytes || Buffer.byteLength(text) <= maxMessageBytes) return;
  throw new Failure(
    'internal',
    `${what} exceeds the maximum message size of ${maxMessageBytes} bytes`,
  );
}

/** Reads a request's or a response's body. @throws {Failure} `invalid` when it is too large */
export async function readBody(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxMessageBytes) {
      throw new Failure('invalid', `a message exceeds ${maxMessageBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
