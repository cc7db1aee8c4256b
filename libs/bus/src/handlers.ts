import type {
  EventContract,
  ListContract,
  Page,
  PageRequest,
  RequestContract,
} from '@registrar/contracts';
import 'reflect-metadata';
import type * as z from 'zod';

/** The metadata that a decorator attaches to a method. */
export type HandlerDeclaration =
  | { readonly kind: 'request'; readonly contract: RequestContract | ListContract }
  | { readonly kind: EventDelivery; readonly contract: EventContract };

/** How an app takes an event: once, alone or together with others, or in each of its replicas. */
export type EventDelivery = 'once' | 'together' | 'broadcast';

/** The most events that are handled together. */
export const maxTogether = 64;

const declarationsKey = Symbol('registrar bus handlers');

/** The key of Nest's parameter metadata: it declares the message first, so that `@UsePipes` applies. */
export const parametersKey = '__registrarBusParameters__';

/** A method decorator that the compiler accepts only on methods of the type `Method`. */
type Decorates<Method> = <Given extends Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Given>,
) => void;

/** The input that the handler of a request or list contract gets. */
export type InputOf<Contract> =
  Contract extends RequestContract<infer Input>
    ? z.output<Input>
    : Contract extends ListContract<infer Input>
      ? z.output<Input> & PageRequest
      : never;

/** The reply that the handler of a request or list contract returns. */
export type ReplyOf<Contract> =
  Contract extends RequestContract<infer _Input, infer Reply>
    ? z.output<Reply>
    : Contract extends ListContract<infer _ListInput, infer Item>
      ? Page<z.output<Item>>
      : never;

/** The payload that the handler of an event gets. */
export type PayloadOf<Contract> =
  Contract extends EventContract<infer Payload> ? z.output<Payload> : never;

/**
 * Makes a method of any provider the handler of a request, or of the pages of a list.
 *
 * The bus parses the input before it calls the method. The handler of a list finds `cursor` and
 * `limit` beside the list's own input and returns a `Page`. The method runs in the caller's request
 * context: the deadline limits its SQL statements and its own requests. Guards, pipes, interceptors
 * and filters on the method or its class apply, with the execution context type `rpc`.
 *
 * Throw a `Failure` to fail; the caller gets the same one. Any other error is logged, and the
 * caller gets the failure `internal`.
 *
 * @example
 * ```ts
 * @Injectable()
 * export class CreateRealm {
 *   @HandleRequest(createRealm)
 *   async create({ name }: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> { … }
 * }
 * ```
 */
export const HandleRequest = <Contract extends RequestContract | ListContract>(
  contract: Contract,
): Decorates<(input: InputOf<Contract>) => Promise<ReplyOf<Contract>>> =>
  declareHandler({ kind: 'request', contract });

/**
 * Makes a method of any provider a handler of an event.
 *
 * Each event takes effect once in each subscribed context: the method runs in a transaction that
 * also writes the event's id to the inbox, and a duplicate is discarded. Events arrive in no
 * particular order. The deadline is 30 s.
 *
 * When the method throws, the transaction is rolled back and the event is delivered again after 1 s,
 * 10 s, 1 min and 10 min; then it is parked (parked-events.ts). The failure `unavailable`, a
 * dependency that cannot be reached, is retried every second and never parks the event.
 *
 * @example
 * ```ts
 * @HandleEvent(courseChanged)
 * async apply({ guid }: PayloadOf<typeof courseChanged>): Promise<void> { … }
 * ```
 */
export const HandleEvent = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payload: PayloadOf<Contract>) => Promise<void>> =>
  declareHandler({ kind: 'once', contract });

/**
 * Makes a method of any provider a handler of many events at a time, for events that come in large
 * numbers: the method gets the payloads of those that wait, {@link maxTogether} at most, in one
 * transaction. Write them with a fixed number of statements, in an order that all replicas share, so that
 * two transactions cannot deadlock.
 *
 * When the method throws, each of the events is handled alone, and fails alone as with
 * {@link HandleEvent}.
 *
 * @example
 * ```ts
 * @HandleEvents(courseChanged)
 * async apply(changes: readonly PayloadOf<typeof courseChanged>[]): Promise<void> { … }
 * ```
 */
export const HandleEvents = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payloads: readonly PayloadOf<Contract>[]) => Promise<void>> =>
  declareHandler({ kind: 'together', contract });

/**
 * Makes a method of any provider a broadcast handler: it is called in every replica of the app.
 *
 * A broadcast is delivered at most once and not recorded: use it to drop cached data, never to store
 * data. An error is logged and has no further effect. After a reconnect, broadcasts may have been
 * missed (`BusConnection.onReconnect`).
 */
export const HandleBroadcast = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payload: PayloadOf<Contract>) => void> =>
  declareHandler({ kind: 'broadcast', contract });

const declareHandler =
  (declaration: HandlerDeclaration) =>
  (target: object, key: string | symbol): void => {
    const declarations = [...handlerDeclarations(target, key), declaration];
    Reflect.defineMetadata(declarationsKey, declarations, target, key);
    const parameters = { '0:0': { index: 0, data: undefined, pipes: [] } };
    Reflect.defineMetadata(parametersKey, parameters, target.constructor, key);
  };

/** Returns the messages that a method handles: an empty list for a method without these decorators. */
export const handlerDeclarations = (
  prototype: object,
  key: string | symbol,
): readonly HandlerDeclaration[] =>
  (Reflect.getMetadata(declarationsKey, prototype, key) as HandlerDeclaration[] | undefined) ?? [];
