import { Failure } from '#libs/contracts';
import type * as z from 'zod';

/** How large a message may be: bytes. RabbitMQ 4 takes 16 MiB and closes the channel on more. */
const largest = 15 * 1024 * 1024;

/** What a message says, or null when it is not what `schema` describes. */
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

/** @throws {Failure} `internal` for what is too large to be sent */
export function assertSendable(text: string, what: string): void {
  // UTF-8 takes three bytes at most for a unit of a string.
  if (text.length * 3 <= largest || Buffer.byteLength(text) <= largest) return;
  throw new Failure('internal', `${what} is larger than a message may be`);
}
