import type { EventContract, RequestContract } from '@registrar/contracts';
import {
  applyDecorators,
  type PipeTransform,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import type * as z from 'zod';
import { CallerGuard } from './caller.guard.ts';
import type { ArrivedEvents } from './arrived-events.ts';
import { ContractPipe, EventsPipe } from './contract.pipe.ts';
import { FailureFilter } from './failure.filter.ts';
import type { EventDelivery, HandlerExtras } from './message-context.ts';
import { RequestInterceptor } from './request.interceptor.ts';

/** A method decorator that the compiler accepts only on methods of the type `Method`. */
type Decorates<Method> = <Given extends Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Given>,
) => void;

/** The input that the handler of a request or list contract gets. */
export type InputOf<Contract extends RequestContract> = z.output<Contract['input']>;

/** The reply that the handler of a request or list contract returns. */
export type ReplyOf<Contract extends RequestContract> = z.output<Contract['reply']>;

/** The payload that the handler of an event gets. */
export type PayloadOf<Contract extends EventContract> = z.output<Contract['payload']>;

/** The events that the handler of many events at a time gets. */
export type EventsOf<Contract extends EventContract> = ArrivedEvents<PayloadOf<Contract>>;

/**
 * Makes a method of a controller the handler of a request, or of the pages of a list: Nest's
 * `MessagePattern`, with the name of the contract.
 *
 * {@link CallerGuard} checks the sender and the permission, {@link RequestInterceptor} the deadline and
 * the idempotency key, and {@link ContractPipe} parses the input. The handler of a list finds `cursor` and
 * `limit` beside the list's own input and returns a `Page`. The method runs in the caller's request
 * context: the deadline limits its SQL statements and its own requests. Other guards, pipes, interceptors
 * and filters on the method or its class apply as well; pipes above this decorator get the parsed input.
 *
 * Throw a `Failure` to fail; the caller gets the same one ({@link FailureFilter}). Any other error is
 * logged, and the caller gets the failure `internal`.
 *
 * @example
 * ```ts
 * @Controller()
 * export class CreateRealm {
 *   @HandleRequest(createRealm)
 *   async create({ name }: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> { … }
 * }
 * ```
 */
export const HandleRequest = <Contract extends RequestContract>(
  contract: Contract,
): Decorates<(input: InputOf<Contract>) => Promise<ReplyOf<Contract>>> =>
  applyDecorators(
    MessagePattern(contract.name, { kind: 'request', contract } satisfies HandlerExtras),
    UseGuards(CallerGuard),
    UseInterceptors(RequestInterceptor),
    UsePipes(new ContractPipe(contract.name, contract.input)),
    filterFailures,
  );

/**
 * Makes a method of a controller a handler of an event: Nest's `EventPattern`, with the name of the
 * contract.
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
): Decorates<(payload: PayloadOf<Contract>) => Promise<void>> => handleEvent(contract, 'once');

/**
 * Makes a method of a controller a handler of many events at a time, for events that come in large
 * numbers: the method gets those that wait, `maxTogether` at most (inbox.ts), and applies them by one
 * statement, which also writes their ids to the inbox: {@link ArrivedEvents}. Write rows in an order that all replicas
 * share, so that two statements cannot deadlock.
 *
 * When the method throws, each of the events is handled alone, and fails alone as with
 * {@link HandleEvent}.
 *
 * @example
 * ```ts
 * @HandleEvents(courseChanged)
 * async apply(changes: EventsOf<typeof courseChanged>): Promise<void> {
 *   await changes.apply(sql`INSERT INTO … SELECT payload ->> 'guid' FROM events ORDER BY 1`);
 * }
 * ```
 */
export const HandleEvents = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(events: EventsOf<Contract>) => Promise<void>> =>
  handleEvent(contract, 'together', new EventsPipe(contract));

/**
 * Makes a method of a controller a broadcast handler: it is called in every replica of the app.
 *
 * A broadcast is delivered at most once and not recorded: use it to drop cached data, never to store
 * data. An error is logged and has no further effect. After a reconnect, broadcasts may have been
 * missed (`BusConnection.onReconnect`).
 */
export const HandleBroadcast = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payload: PayloadOf<Contract>) => void> => handleEvent(contract, 'broadcast');

const handleEvent = (
  contract: EventContract,
  kind: EventDelivery,
  pipe: PipeTransform = new ContractPipe(contract.name, contract.payload),
) =>
  applyDecorators(
    EventPattern(contract.name, { kind, contract } satisfies HandlerExtras) as MethodDecorator,
    UsePipes(pipe),
    filterFailures,
  );

/** Adds the filter to the class, before its own: Nest asks the last one first. */
const filterFailures = (prototype: object): void => {
  UseFilters(FailureFilter)(prototype.constructor);
};
