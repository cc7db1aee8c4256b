import type { BusClient } from '@registrar/bus';
import type { ListContract, Page } from '@registrar/contracts';
import type * as z from 'zod';
import type { ListParameters } from './list-parameters.ts';

/** How many records a context is asked for at a time. */
interface PageSizes {
  /** Of a list that is read to its end. */
  readonly each?: number | undefined;
  /** Of a page that a client asks for, whatever its limit. */
  readonly most?: number;
}

/**
 * Reads a list of a context: one page of it if the client gives a limit, else all that follows the cursor.
 *
 * @throws {Failure} as `BusClient.pages` does
 */
export function readList<Input extends z.ZodObject, Item extends z.ZodType>(
  bus: BusClient,
  contract: ListContract<Input, Item>,
  input: z.output<Input>,
  { limit, cursor, count }: ListParameters,
  { each, most = Infinity }: PageSizes = {},
): AsyncIterable<Page<z.output<Item>>> {
  const first = { cursor: cursor ?? null, ...(count && { count }) };
  return limit === undefined
    ? bus.pages(contract, input, each, first)
    : onlyPage(() =>
        bus.page(contract, input, { ...first, limit: Math.min(limit, most), alone: true }),
      );
}

async function* onlyPage<Item>(read: () => Promise<Page<Item>>): AsyncGenerator<Page<Item>> {
  yield await read();
}
