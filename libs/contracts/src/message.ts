import * as z from 'zod';

/** The bounded contexts that answer requests or handle events; each is an app, a schema and a queue. */
export type Context = 'identity' | 'catalog' | 'enrolment' | 'crawler' | 'provider';

/**
 * How a request that changes something comes to its one effect although it may be repeated: its
 * answer was lost, or a client sends it again under the same idempotency key.
 *
 * - `once`: it is handled in one transaction, which keeps its outcome for whoever repeats it.
 * - `resumed`: it takes several steps, because others are asked for some of them. Its handler finds
 *   what was begun under its key, and goes on from there; its outcome is kept when it ends.
 * - `again`: to do it again is to do it once. Nothing is kept.
 */
export type Changes = 'once' | 'resumed' | 'again';

/** A question or command that one context answers. Made with {@link defineRequest}. */
export interface RequestContract<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly kind: 'request';
  /** `context.what-is-asked`; the part before the dot names the context that answers. */
  readonly name: `${Context}.${string}`;
  readonly context: Context;
  readonly input: Input;
  readonly reply: Reply;
  /** Null when the request changes nothing; all others are sent with an idempotency key. */
  readonly changes: Changes | null;
}

/** A list that is read page by page. Its input and reply are those of its pages. */
export interface ListContract<
  Input extends z.ZodObject = z.ZodObject,
  Item extends z.ZodType = z.ZodType,
> {
  readonly kind: 'list';
  readonly name: `${Context}.${string}`;
  readonly context: Context;
  readonly input: Input;
  readonly item: Item;
}

/** A fact that a context publishes through its outbox. */
export interface EventContract<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly name: `${Context}.${string}`;
  readonly context: Context;
  readonly payload: Payload;
  /**
   * The contexts that must handle the event, each once. One that is published before a consumer
   * ever ran waits for it in the publisher's outbox.
   */
  readonly subscribers: readonly Context[];
}

/** What a handler of a list gets beside the list's own input. */
export interface PageRequest {
  /** The `next` of the page before, or null for the first page. */
  readonly cursor: string | null;
  /** At most this many items in the page. */
  readonly limit: number;
}

/** One page of a list; `next` is null on the last page. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
}

export const pageRequest = z.object({
  cursor: z.string().max(512).nullable(),
  limit: z.int().min(1).max(1000),
});

const contextOf = (name: `${Context}.${string}`): Context =>
  name.slice(0, name.indexOf('.')) as Context;

export function defineRequest<Input extends z.ZodType, Reply extends z.ZodType>(
  name: `${Context}.${string}`,
  parts: { input: Input; reply: Reply; changes?: Changes },
): RequestContract<Input, Reply> {
  return {
    kind: 'request',
    name,
    context: contextOf(name),
    input: parts.input,
    reply: parts.reply,
    changes: parts.changes ?? null,
  };
}

export function defineList<Input extends z.ZodObject, Item extends z.ZodType>(
  name: `${Context}.${string}`,
  parts: { input: Input; item: Item },
): ListContract<Input, Item> {
  return { kind: 'list', name, context: contextOf(name), ...parts };
}

export function defineEvent<Payload extends z.ZodType>(
  name: `${Context}.${string}`,
  parts: { payload: Payload; subscribers: readonly Context[] },
): EventContract<Payload> {
  return { kind: 'event', name, context: contextOf(name), ...parts };
}
