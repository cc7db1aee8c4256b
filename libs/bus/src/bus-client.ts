import {
  type EventContract,
  Failure,
  type ListContract,
  type Page,
  type PageRequest,
  type RequestContract,
} from '@registrar/contracts';
import { randomUUID } from 'node:crypto';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import type * as z from 'zod';
import type { OutgoingEvent } from './event-message.ts';

/** The time limit of a request whose request context has no deadline: milliseconds. */
export const defaultRequestTimeoutMs = 10_000;

/** The default number of items in a page of a list. */
export const defaultPageSize = 500;

/** The request for the first page of a list, but for its size. */
type ListStart = Pick<PageRequest, 'cursor' | 'count'>;

/**
 * Sends requests to other contexts: Nest's client, with the types of the contracts. Inject it into any
 * provider.
 *
 * A request carries the deadline, the request id and the idempotency key of the current request
 * context (`runInRequestContext`). Outside of one it gets a new request id and a deadline of
 * {@link defaultRequestTimeoutMs}. A request that a contract marks as idempotent is safe to repeat
 * under the same key: it takes effect once (`IdempotencyStore`).
 *
 * While the broker is unreachable or blocks publishers, requests fail with `unavailable` at once.
 * A request that was sent fails with `unavailable` as soon as the connection is lost; its handler
 * may have run nevertheless. Nothing is queued for later: use the `Outbox` for that.
 *
 * @example
 * ```ts
 * const { text } = await bus.request(greet, { name: 'Ada' });
 * for await (const { items } of bus.pages(listCourses, { realmId })) { … }
 * ```
 */
export abstract class BusClient extends ClientProxy {
  /**
   * Sends a request and resolves with its reply.
   *
   * @throws {Failure} the failure that the handler threw; `internal` when it threw another error;
   * `unavailable` when the context is not running or the message cannot be delivered; `overloaded`
   * when the queue of the context is full; `expired` at the deadline; `invalid` when the input does
   * not match its contract
   */
  request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    const reply = this.send<z.output<Reply>>(contract, input);
    return lastValueFrom(reply, { defaultValue: undefined as z.output<Reply> });
  }

  /**
   * Reads a list page by page. The next page is requested while the consumer works on the current
   * one, so at most two pages are in memory. A consumer that breaks out of its loop ends the reading.
   *
   * @param pageSize items per page, {@link defaultPageSize} by default
   * @param first where the list begins, and whether its items are counted
   * @throws {Failure} as {@link request} does, when the page that failed is read
   */
  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
    first?: ListStart,
  ): AsyncIterable<Page<z.output<Item>>> {
    return readPages((request) => this.page(contract, input, request), pageSize, first);
  }

  /**
   * Reads one page of a list.
   *
   * @throws {Failure} as {@link request} does
   */
  page<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    request: PageRequest,
  ): Promise<Page<z.output<Item>>> {
    return lastValueFrom(this.send<Page<z.output<Item>>>(contract, { ...input, ...request }));
  }

  /**
   * Sends a request, or the request for one page of a list, and resolves with its reply.
   *
   * @param hang called when the replica that has the request seems to be frozen
   */
  abstract exchange(contract: RequestContract, input: unknown, hang?: () => void): Promise<unknown>;

  /**
   * Broadcasts an event to its listeners at once, without an outbox: whoever does not run does not get it.
   *
   * @throws {Failure} `unavailable` while the broker cannot be reached
   */
  async announce<Payload extends z.ZodType>(
    { name, listeners }: EventContract<Payload>,
    payload: z.output<Payload>,
  ): Promise<void> {
    const event = { messageId: randomUUID(), name, payload, requestId: randomUUID() };
    await this.deliver({ ...event, subscribers: [], listeners });
  }

  /** Whether events can be sent at present. */
  get usable(): boolean {
    return false;
  }

  /**
   * Delivers an event of the outbox: resolves when all of its subscribers have it.
   *
   * @throws {Failure} `unavailable` when a subscriber or the broker cannot be reached
   */
  protected async deliver(_event: OutgoingEvent): Promise<void> {
    throw new Failure('unavailable', 'this client carries no events');
  }

  /** Nest's way of a request: the pattern is its contract. */
  protected override publish({ pattern, data }: ReadPacket, reply: (packet: WritePacket) => void) {
    this.exchange(pattern as RequestContract, data).then(
      (response) => reply({ response, isDisposed: true }),
      (err: unknown) => reply({ err }),
    );
    return () => undefined;
  }

  /** Nest's way of an event, by which the outbox is relayed: the pattern is its name. */
  protected override async dispatchEvent<T>({ data }: ReadPacket<OutgoingEvent>): Promise<T> {
    await this.deliver(data);
    return undefined as T;
  }

  /** The server of the app connects and disconnects both. */
  override async connect(): Promise<void> {}

  override close(): void {}

  override unwrap<T>(): T {
    return this as unknown as T;
  }
}

/** The fewest items that a page is requested with after one that ended early. */
const minLimit = 16;

/**
 * The limit of the page after one. A page of long items ends before its limit. What its context has
 * looked at beyond its end was in vain, so the next one asks for little more than this one had.
 */
const nextLimit = (items: number, limit: number): number =>
  Math.min(limit, Math.max(minLimit, 2 * items));

/** Reads a list with `requestPage`, one page ahead of its consumer. */
export async function* readPages<Item>(
  requestPage: (page: PageRequest) => Promise<Page<Item>>,
  limit: number,
  first: ListStart = { cursor: null },
): AsyncGenerator<Page<Item>, void, undefined> {
  let next: Promise<Page<Item>> | null = requestPage({ ...first, limit });
  while (next) {
    const page: Page<Item> = await next;
    const { items, next: cursor } = page;
    next = cursor === null ? null : requestPage({ cursor, limit: nextLimit(items.length, limit) });
    // The failure is thrown when the consumer reads that page; until then it is no unhandled rejection.
    next?.catch(() => undefined);
    yield page;
  }
}
