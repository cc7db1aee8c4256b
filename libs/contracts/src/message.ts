import * as z from 'zod';
import { accessScope, type Permission } from './access.ts';

/**
 * The bounded contexts that answer requests or handle events. Each has an app, a database schema
 * and a queue.
 */
export const busContexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'] as const;
export type Context = (typeof busContexts)[number];

/**
 * The apps of an installation that use the bus; `operator` is the operator's command line, `console` its pages in a
 * browser.
 */
export const busApps = ['gateway', ...busContexts, 'console', 'operator'] as const;
export type BusApp = (typeof busApps)[number];

export const isContext = (app: string): app is Context =>
  busContexts.some((context) => context === app);

/**
 * How a changing request has one effect although it may arrive more than once, because its reply
 * was lost or a client repeats it under the same idempotency key.
 *
 * - `transactional`: the handler runs in one transaction, which also stores the outcome; a repeated
 *   request gets the stored outcome.
 * - `resumable`: the handler takes several steps, some of them in other contexts. A repeated
 *   request resumes after the last completed step; the outcome is stored at the end.
 * - `recorded`: like `resumable`, by a handler that stores the key with the record that it creates. So it
 *   recognizes a repetition itself, and the outcome is stored only for a key that a client has given.
 * - `natural`: the handler has the same effect however often it runs. No outcome is stored.
 */
export type Idempotency = 'transactional' | 'resumable' | 'recorded' | 'natural';

/** A query or command that one context answers, or the page of a list. Created by {@link defineRequest}. */
export interface RequestContract<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly kind: 'request' | 'list';
  /** `context.request-name`; the part before the dot names the context that answers. */
  readonly name: `${Context}.${string}`;
  readonly context: Context;
  /** The apps that may send the request; it is rejected from any other. */
  readonly callers: readonly BusApp[];
  /**
   * The permission that the access scope in the input must have; the bus checks it before the
   * handler. Null without an access scope, and where every API key may send the request.
   */
  readonly permission: Permission | null;
  readonly input: Input;
  readonly reply: Reply;
  /** Null for a request that changes nothing; every other request carries an idempotency key. */
  readonly idempotency: Idempotency | null;
}

/** A list that is read page by page. Created by {@link defineList}. */
export interface ListContract<
  Input extends z.ZodObject = z.ZodObject,
  Item extends z.ZodType = z.ZodType,
> extends RequestContract<
  z.ZodType<z.output<Input> & PageRequest>,
  z.ZodType<Page<z.output<Item>>>
> {
  readonly kind: 'list';
  readonly item: Item;
}

/** A fact that a context publishes through its outbox. Created by {@link defineEvent}. */
export interface EventContract<Payload extends z.ZodType = z.ZodType> {
  readonly kind: 'event';
  readonly name: `${BusApp}.${string}`;
  /** The app that publishes the event: a context, but for broadcasts that no outbox has. */
  readonly context: BusApp;
  readonly payload: Payload;
  /**
   * The contexts that handle the event, each once. An event that is published before a subscriber
   * has ever run waits in the publisher's outbox.
   */
  readonly subscribers: readonly Context[];
  /** The apps that receive the event as a broadcast: every running replica, at most once. */
  readonly listeners: readonly BusApp[];
}

/** The members that a page request adds to the input of its list. */
export interface PageRequest {
  /** The `next` of the page before; null for the first page. */
  readonly cursor: string | null;
  /** Maximum number of items in the page. */
  readonly limit: number;
  /** The client reads no other page now, so that a first page may be as long as a later one. */
  readonly alone?: boolean | undefined;
  /** Requests the number of items of the whole list (contract/parameters#count). */
  readonly count?: boolean | undefined;
}

/** The oldest items that a list may show: seconds (contract/errors#age). */
export const maxAgeSeconds = 60;

/** One page of a list; `next` is null on the last page. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: string | null;
  /** The number of items of the whole list, if requested; null when it took too long to count them. */
  readonly total?: number | null | undefined;
  /** How old the items may be, in whole seconds (contract/errors#age); undefined for current ones. */
  readonly ageSeconds?: number | undefined;
}

export const pageRequest = z.object({
  cursor: z.string().max(512).nullable(),
  limit: z.int().min(1).max(1000),
  alone: z.boolean().optional(),
  count: z.boolean().optional(),
});

/** The context of a message, with which its name begins. */
export const contextOf = (name: string): Context => name.slice(0, name.indexOf('.')) as Context;

const hasAccessScope = (input: z.ZodType): boolean =>
  input instanceof z.ZodObject && input.shape['scope'] === accessScope;

/**
 * Defines a request. An access scope in its input must have `permission`: by default `write` if the
 * request has an idempotency, because it changes something, else `read`.
 */
export function defineRequest<Input extends z.ZodType, Reply extends z.ZodType>(
  name: `${Context}.${string}`,
  parts: {
    callers: readonly BusApp[];
    input: Input;
    reply: Reply;
    idempotency?: Idempotency;
    permission?: Permission | null;
  },
): RequestContract<Input, Reply> {
  const { permission = parts.idempotency ? 'write' : 'read' } = parts;
  return {
    kind: 'request',
    name,
    context: contextOf(name),
    callers: parts.callers,
    permission: hasAccessScope(parts.input) ? permission : null,
    input: parts.input,
    reply: parts.reply,
    idempotency: parts.idempotency ?? null,
  };
}

/** Defines a list. An access scope in its input must have the permission `read`. */
export function defineList<Input extends z.ZodObject, Item extends z.ZodType>(
  name: `${Context}.${string}`,
  parts: { callers: readonly BusApp[]; input: Input; item: Item },
): ListContract<Input, Item> {
  const { callers, item } = parts;
  const input = parts.input.extend(pageRequest.shape);
  const reply = z.object({
    items: z.array(item),
    next: z.string().nullable(),
    total: z.int().nullable().optional(),
    ageSeconds: z.int().min(0).optional(),
  });
  const list = { ...defineRequest(name, { callers, input, reply }), kind: 'list', item };
  return list as unknown as ListContract<Input, Item>;
}

/** Defines an event. Apps that are no contexts have no outbox: they broadcast it (`BusClient.announce`). */
export function defineEvent<Payload extends z.ZodType>(
  name: `${BusApp}.${string}`,
  parts: { payload: Payload; subscribers: readonly Context[]; listeners?: readonly BusApp[] },
): EventContract<Payload> {
  return { kind: 'event', name, context: contextOf(name), listeners: [], ...parts };
}
