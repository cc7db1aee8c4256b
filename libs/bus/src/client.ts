import type { ListContract, RequestContract } from '#libs/contracts';
import type * as z from 'zod';

/** How long a request may take when the operation it belongs to has no deadline: milliseconds. */
export const defaultRequestTime = 10_000;

/** How many items a page of a list holds when the reader does not say. */
export const defaultPageSize = 500;

/**
 * Asks other contexts. The deadline, the request id and the idempotency key are those of the
 * current operation (`runOperation`); without one a request gets {@link defaultRequestTime}.
 */
export abstract class BusClient {
  /**
   * @throws {Failure} what the handler threw, or `unavailable` when the message cannot be
   * delivered, `overloaded` when the destination's queue is full, `expired` at the deadline.
   */
  abstract request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>>;

  /**
   * Reads a list page by page. The next page is asked for when the consumer wants it, and one
   * ahead, so memory holds two pages at most. Ends when the consumer stops.
   */
  abstract pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize?: number,
  ): AsyncIterable<z.output<Item>[]>;
}
