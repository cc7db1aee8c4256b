import type { EventContract, RequestContract } from '@registrar/contracts';

/** How an app takes an event: once, alone or together with others, or in each of its replicas. */
export type EventDelivery = 'once' | 'together' | 'broadcast';

/** What a decorator says of a handler, in the `extras` of Nest's message patterns. */
export type HandlerExtras =
  | { readonly kind: 'request'; readonly contract: RequestContract }
  | { readonly kind: EventDelivery; readonly contract: EventContract };

/** The RPC context of the handler of a request: guards, interceptors and filters find it by `getContext`. */
export interface RequestContext {
  readonly contract: RequestContract;
  /** The app that sent the request, as the transport knows. */
  readonly sender: string;
  /** Milliseconds since the epoch; `sentAt` by the sender's clock. */
  readonly deadline: number;
  readonly sentAt: number;
}

/** The RPC context of the handler of an event. */
export interface EventContext {
  readonly contract: EventContract;
}
