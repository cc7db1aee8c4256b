import { Failure, type Page } from '@registrar/contracts';
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

type Item = Readonly<Record<string, unknown>>;

/**
 * A page of a list as it is sent: the names of its items' members once, and the values of each item in their order. A
 * page of registrations takes half of the bytes this way, and half of the time to parse.
 */
interface PageInColumns extends Omit<Page<Item>, 'items'> {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Returns a page in columns, or as it is if its items do not all have the same members. */
export function toColumns(page: Page<Item>): Page<Item> | PageInColumns {
  const { items, ...rest } = page;
  const [first] = items;
  if (!first) return page;
  const columns = Object.keys(first);
  if (columns.includes('__proto__')) return page;
  const rows: unknown[][] = [];
  for (const item of items) {
    const values = columns.map((name) => item[name]);
    if (Object.keys(item).length !== columns.length || values.includes(undefined)) return page;
    rows.push(values);
  }
  return { columns, rows, ...rest };
}

/** Returns the page that {@link toColumns} has made its argument from. */
export function fromColumns(sent: Page<Item> | PageInColumns): Page<Item> {
  if (!('columns' in sent)) return sent;
  const { columns, rows, ...rest } = sent;
  return { items: rows.map((values) => toItem(columns, values)), ...rest };
}

function toItem(columns: readonly string[], values: readonly unknown[]): Item {
  const item: Record<string, unknown> = {};
  for (const [place, name] of columns.entries()) item[name] = values[place];
  return item;
}
