import type {
  EventContract,
  ListContract,
  Page,
  PageRequest,
  RequestContract,
} from '#libs/contracts';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import type * as z from 'zod';

/** Marks our handlers for Nest, so that another transport in the same app leaves them alone. */
export const busTransport = Symbol('registrar bus');

/** A method decorator that the compiler lets stand only before methods of the type `Method`. */
type Decorates<Method> = <Given extends Method>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Given>,
) => void;

/** What a handler of a request or list contract gets. */
export type InputOf<Contract> =
  Contract extends RequestContract<infer Input>
    ? z.output<Input>
    : Contract extends ListContract<infer Input>
      ? z.output<Input> & PageRequest
      : never;

/** What a handler of a request or list contract answers. */
export type ReplyOf<Contract> =
  Contract extends RequestContract<infer _Input, infer Reply>
    ? z.output<Reply>
    : Contract extends ListContract<infer _ListInput, infer Item>
      ? Page<z.output<Item>>
      : never;

/** What a handler of an event gets. */
export type PayloadOf<Contract> =
  Contract extends EventContract<infer Payload> ? z.output<Payload> : never;

/**
 * The method answers the requests, or the pages of the list, that `contract` describes. Its input
 * is parsed before it is called; a list's handler finds `cursor` and `limit` beside the list's
 * own input and answers a `Page`. It fails by throwing a `Failure`. It runs inside the caller's
 * operation: the deadline reaches its database statements and its own requests.
 */
export const HandleRequest = <Contract extends RequestContract | ListContract>(
  contract: Contract,
): Decorates<(input: InputOf<Contract>) => Promise<ReplyOf<Contract>>> =>
  MessagePattern(contract.name, busTransport, { contract });

/**
 * The method handles every such event once: it runs in a transaction that also notes the event in
 * the inbox. When it throws, the transaction is undone and the event comes again later.
 */
export const HandleEvent = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payload: PayloadOf<Contract>) => Promise<void>> =>
  EventPattern(contract.name, busTransport, { contract, delivery: 'once' }) as MethodDecorator;

/**
 * The method hears of such events in every replica, as they happen, at most once and with no
 * trace: for dropping what is cached, never for keeping data.
 */
export const HandleBroadcast = <Contract extends EventContract>(
  contract: Contract,
): Decorates<(payload: PayloadOf<Contract>) => void> =>
  EventPattern(contract.name, busTransport, { contract, delivery: 'broadcast' }) as MethodDecorator;
