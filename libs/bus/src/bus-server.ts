import { type EventContract, Failure } from '@registrar/contracts';
import {
  activity,
  currentRequestContext,
  endsWithin,
  inSpan,
  runInRequestContext,
} from '@registrar/platform';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { ArrivedEvents } from './arrived-events.ts';
import type { BusClient } from './bus-client.ts';
import type { BusMember } from './bus-member.ts';
import type { Answer, RequestEnvelope } from './envelope.ts';
import { inProcessSpan } from './event-spans.ts';
import type { ArrivingEvent } from './event-message.ts';
import type {
  EventContext,
  EventDelivery,
  HandlerExtras,
  RequestContext,
} from './message-context.ts';
import { OutboxRelay } from './outbox-relay.ts';

/**
 * The time that a stopping app has to finish its running requests and events: milliseconds. Compose and
 * Kubernetes kill its container after 60 s.
 */
export const drainTimeoutMs = 20_000;

interface RequestHandler {
  readonly contract: RequestContext['contract'];
  readonly call: MessageHandler;
}

/** Every handler that an app has for one event, all with the same delivery. */
interface EventHandlers {
  readonly contract: EventContract;
  readonly delivery: EventDelivery;
  readonly calls: MessageHandler[];
}

/**
 * Nest's transport strategy: calls an app's handlers, which Nest has found on its controllers, with the
 * messages that a transport receives.
 */
export abstract class BusServer extends Server implements CustomTransportStrategy {
  /** The errors of events reach the transport, which repeats the events. */
  override readonly propagatesEventHandlerErrors = true;
  readonly #requests = new Map<string, RequestHandler>();
  readonly #events = new Map<string, EventHandlers>();
  #closing: Promise<void> | null = null;

  /** Delivers the events of the app's outbox; null for an app without a database. */
  readonly relay: OutboxRelay | null;

  constructor(
    protected readonly member: BusMember,
    client: BusClient,
  ) {
    super();
    const { database, logger } = member;
    this.relay = database && new OutboxRelay(database, client, logger);
  }

  get metrics() {
    return this.member.metrics;
  }

  /**
   * Adds a handler that Nest has found.
   *
   * @throws when two methods handle one request, when an event has handlers of several deliveries, and
   * when the app handles a broadcast that its contract does not send to it
   */
  override addHandler(
    name: string,
    call: MessageHandler,
    _isEventHandler?: boolean,
    extras?: Record<string, unknown>,
  ): void {
    const handler = extras as HandlerExtras | undefined;
    if (!handler?.contract)
      throw new Error(`${name} has no contract: use @HandleRequest and the like`);
    if (handler.kind === 'request') {
      if (this.#requests.has(name)) throw new Error(`${name} has two handlers`);
      this.#requests.set(name, { contract: handler.contract, call });
      return;
    }
    const { kind: delivery, contract } = handler;
    const listeners: readonly string[] = contract.listeners;
    if (delivery === 'broadcast' && !listeners.includes(this.member.name)) {
      const { name: app } = this.member;
      throw new Error(`${app} handles broadcasts of ${name}: add it to the event's listeners`);
    }
    const known = this.#events.get(name);
    if (known && known.delivery !== delivery) {
      throw new Error(
        `${name} has handlers of several deliveries: ${known.delivery} and ${delivery}`,
      );
    }
    if (known && delivery === 'together') {
      throw new Error(`${name} has two handlers, of which one takes many events at a time`);
    }
    // Not linked as Nest does it: its handlers of one event run side by side, in one transaction here.
    if (known) known.calls.push(call);
    else this.#events.set(name, { contract, delivery, calls: [call] });
  }

  /** Begins to receive messages. Calls `callback` when the transport is connected, or with an error. */
  override listen(callback: (error?: unknown) => void): void {
    this.serve().then(() => {
      this.relay?.start();
      callback();
    }, callback);
  }

  /** Receives no more messages and waits for the running handlers, {@link drainTimeoutMs} at most. */
  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (await endsWithin(this.drain(), drainTimeoutMs)) return;
    this.member.logger.warn('draining timed out: the app stops with unfinished requests or events');
  }

  /** Starts to call the app's handlers. Resolves when it is connected. */
  protected abstract serve(): Promise<void>;

  /**
   * Receives no more messages, waits for running handlers, and returns requests that have not started to
   * their queue. The client can still send requests.
   */
  protected abstract drain(): Promise<void>;

  /** A transport has no events of its own: `BusConnection` reports reconnects. */
  override on(): void {}

  override unwrap<T>(): T {
    return this as unknown as T;
  }

  /** The contracts of the events that the app handles, as broadcasts or once. */
  events(which: 'once' | 'broadcast'): EventContract[] {
    return [...this.#events.values()]
      .filter(({ delivery }) => (delivery === 'broadcast') === (which === 'broadcast'))
      .map(({ contract }) => contract);
  }

  /** Returns how the app handles an event; undefined for an event that it does not handle. */
  eventDelivery(name: string): EventDelivery | undefined {
    return this.#events.get(name)?.delivery;
  }

  /** How many messages wait in the app's request queue; null without a queue, or when nothing answers. */
  async waitingMessages(): Promise<number | null> {
    return null;
  }

  get handlesRequests(): boolean {
    return this.#requests.size > 0;
  }

  /**
   * Calls the handler of a request in the caller's request context.
   *
   * @param sender the app that sent it, as the transport knows
   * @throws {Failure} `unavailable` without a handler, `internal` when the contract does not name the
   * sender as a caller, `expired` at the deadline, `invalid` when the input does not match its
   * contract, `unauthenticated` when its access scope lacks the permission, the handler's own
   * failure, or `internal` for any other error
   */
  dispatchRequest(envelope: RequestEnvelope, sender: string): Promise<Answer> {
    activity.note();
    const { name, input, sentAt, trace: cause, keyUse, consoleUser, ...given } = envelope;
    const { deadline } = given;
    const handled = { keyUse, isReplay: false };
    // What another app says of a user of the console does not count.
    const context = { ...given, ...(sender === 'console' && consoleUser && { consoleUser }) };
    const attributes = { 'rpc.system.name': 'registrar', 'rpc.method': name };
    return inSpan({ name, kind: 'server', attributes, cause }, () =>
      runInRequestContext({ ...context, handled }, async () => {
        const handler = this.#requests.get(name);
        if (!handler) throw new Failure('unavailable', `the app has no handler for ${name}`);
        const { contract, call } = handler;
        const rpc: RequestContext = { contract, sender, deadline, sentAt };
        const reply = await settled(call(input, rpc));
        return { reply, ...(handled.isReplay && { isReplay: true }) };
      }),
    );
  }

  /**
   * Calls the handlers of an event one after another, in the current request context.
   *
   * @param together the event with others of its name, for a handler that takes them together
   * @throws the first error that a handler throws
   */
  async dispatchEvent(event: ArrivingEvent, together?: ArrivedEvents): Promise<void> {
    activity.note();
    await this.#callHandlers(event, together);
  }

  async #callHandlers(event: ArrivingEvent, together?: ArrivedEvents): Promise<void> {
    const { name, requestId } = event;
    const handlers = this.#events.get(name);
    if (!handlers) throw new Failure('invalid', `the app has no handler for ${name}`);
    const { contract, calls } = handlers;
    const message = together ?? event.payload;
    const context = currentRequestContext() ?? { requestId, deadline: null };
    const rpc: EventContext = { contract };
    await runInRequestContext(context, async () => {
      for (const call of calls) await settled(call(message, rpc));
    });
  }

  /** Calls the handlers of a broadcast, which makes no work due. An error is logged and has no further effect. */
  async dispatchBroadcast(event: ArrivingEvent): Promise<void> {
    try {
      await inProcessSpan(event, async () => {
        await this.#callHandlers(event);
        return 'handled';
      });
    } catch (error) {
      const { name, requestId } = event;
      const reason = Failure.from(error).message;
      this.member.logger.error(
        { event: name, request_id: requestId, reason },
        'a broadcast handler failed',
      );
    }
  }
}

/** Resolves with the last value of what a handler of Nest's returns: a value, or an observable of it. */
async function settled(returned: ReturnType<MessageHandler>): Promise<unknown> {
  const result: unknown = await returned;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
