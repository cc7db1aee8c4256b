import { setTimeout as pause } from 'node:timers/promises';
import {
  type AccessScope,
  type EventContract,
  Failure,
  type ListContract,
  pageRequest,
  type RequestContract,
  requirePermission,
} from '@registrar/contracts';
import {
  currentRequestContext,
  type Logger,
  runInRequestContext,
  runtimeChecks,
  withDeadline,
} from '@registrar/platform';
import * as z from 'zod';
import { MessageRejected } from './authentication/message-authenticator.ts';
import { RejectedMessages } from './authentication/rejected-messages.ts';
import type { BusMetrics } from './bus-metrics.ts';
import { inServerSpan } from './bus-spans.ts';
import type { RequestEnvelope } from './envelope.ts';
import type { EventHandlers, Handlers } from './find-handlers.ts';
import type { EventDelivery } from './handlers.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ArrivingEvent } from './inbox.ts';
import type { UnverifiedMessage } from './parked-events.ts';
import type { BusEndpoint } from './transport.ts';

type HandledContract = RequestContract | ListContract;

/**
 * The time that a stopping app has to finish its running requests and events: milliseconds.
 * Kubernetes kills a pod after 30 s.
 */
export const drainTimeoutMs = 20_000;

/** Calls an app's handlers with parsed messages. A transport feeds it from {@link start} on. */
export class BusServer {
  #handlers: Handlers = { requests: new Map(), events: new Map() };
  readonly #rejected: RejectedMessages;

  constructor(
    private readonly log: Logger,
    private readonly endpoint: BusEndpoint,
    readonly metrics: BusMetrics,
    private readonly idempotency: IdempotencyStore,
    private readonly findHandlers: () => Handlers,
  ) {
    this.#rejected = new RejectedMessages(metrics, log);
  }

  /**
   * Finds the app's handlers and begins to receive messages. Call it when every provider is
   * initialised. Resolves when the transport is connected.
   */
  async start(): Promise<void> {
    this.#handlers = this.findHandlers();
    await this.endpoint.serve(this);
  }

  /** Receives no more messages and waits for the running handlers, {@link drainTimeoutMs} at most. */
  async drain(): Promise<void> {
    const timer = new AbortController();
    const { signal } = timer;
    const timeout = pause(drainTimeoutMs, 'timed out' as const, { signal }).catch(
      () => 'aborted' as const,
    );
    const outcome = await Promise.race([this.endpoint.drain(), timeout]);
    timer.abort();
    if (outcome === 'timed out') {
      this.log.warn('draining timed out: the app stops with unfinished requests or events');
    }
  }

  /** The contracts of the events that the app handles, as broadcasts or once. */
  events(which: 'once' | 'broadcast'): EventContract[] {
    return [...this.#handlers.events.values()]
      .filter(({ delivery }) => (delivery === 'broadcast') === (which === 'broadcast'))
      .map(({ contract }) => contract);
  }

  /** Returns how the app handles an event; undefined for an event that it does not handle. */
  eventDelivery(name: string): EventDelivery | undefined {
    return this.#handlers.events.get(name)?.delivery;
  }

  get handlesRequests(): boolean {
    return this.#handlers.requests.size > 0;
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
  dispatchRequest(envelope: RequestEnvelope, sender: string): Promise<unknown> {
    return inServerSpan(envelope, () => this.#dispatch(envelope, sender));
  }

  async #dispatch(envelope: RequestEnvelope, sender: string): Promise<unknown> {
    const { name, deadline, sentAt, requestId, idempotencyKey, clientAddress } = envelope;
    const context = {
      requestId,
      deadline,
      ...(idempotencyKey && { idempotencyKey }),
      ...(clientAddress && { clientAddress }),
    };
    return runInRequestContext(context, async () => {
      const handler = this.#handlers.requests.get(name);
      if (!handler) throw new Failure('unavailable', `the app has no handler for ${name}`);
      this.#assertCaller(handler.contract, sender);
      if (Date.now() >= deadline) {
        this.metrics.countRejection('expired');
        throw new Failure('expired', `${name} arrived after its deadline`);
      }
      const { contract, call } = handler;
      const input = parse(contract, envelope.input);
      assertPermission(contract, input);
      try {
        // After the deadline the caller no longer waits, so a stuck handler must not keep its slot.
        const reply = this.metrics.timeHandler(name, sentAt, () =>
          this.idempotency.handle(contract, async () => checkedReply(contract, await call(input))),
        );
        return await withDeadline(reply, deadline, name);
      } catch (error) {
        if (error instanceof Failure) throw error;
        this.log.error({ err: error, request: name }, 'a request handler failed');
        throw new Failure(
          'internal',
          `${name} failed; the log of ${contract.context} has the cause`,
        );
      }
    });
  }

  /** A context may send its own requests to itself. */
  #assertCaller({ name, context, callers }: HandledContract, sender: string): void {
    const known: readonly string[] = callers;
    if (sender === context || known.includes(sender)) return;
    this.#rejected.report(new MessageRejected('forbidden', sender), { request: name });
    throw new Failure('internal', `${sender} is not a caller of ${name}`);
  }

  /** Calls {@link BusEndpoint.verifyParked}. @throws {Failure} `invalid` also when it is missing */
  verifyParked(message: UnverifiedMessage): ArrivingEvent | null {
    if (!this.endpoint.verifyParked) {
      throw new Failure('invalid', 'only an app on RabbitMQ can verify the message');
    }
    return this.endpoint.verifyParked(message);
  }

  /**
   * Calls the handlers of an event one after another, in the current request context.
   *
   * @param others more events of the same name, for handlers that take them together
   * @throws the first error that a handler throws
   */
  async dispatchEvent(event: ArrivingEvent, ...others: readonly ArrivingEvent[]): Promise<void> {
    const { name, requestId } = event;
    const handlers = this.#handlers.events.get(name);
    if (!handlers) throw new Failure('invalid', `the app has no handler for ${name}`);
    const [payload, ...more] = [event, ...others].map((each) => payloadOf(handlers, each));
    const message = handlers.delivery === 'together' ? [payload, ...more] : payload;
    const context = currentRequestContext() ?? { requestId, deadline: null };
    await runInRequestContext(context, async () => {
      for (const call of handlers.calls) await call(message);
    });
  }
}

function payloadOf({ contract }: EventHandlers, { payload }: ArrivingEvent): unknown {
  const parsed = contract.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw new Failure('invalid', `malformed ${contract.name}: ${describeIssues(parsed.error)}`);
}

/** A schema for each contract, built once because building one is slow. */
function schemaPerContract(build: (contract: HandledContract) => z.ZodType) {
  const schemas = new WeakMap<HandledContract, z.ZodType>();
  return (contract: HandledContract): z.ZodType => {
    const schema = schemas.get(contract) ?? build(contract);
    schemas.set(contract, schema);
    return schema;
  };
}

const inputSchema = schemaPerContract((contract) =>
  contract.kind === 'request' ? contract.input : contract.input.extend(pageRequest.shape),
);

const replySchema = schemaPerContract((contract) =>
  contract.kind === 'request'
    ? contract.reply
    : z.object({ items: z.array(contract.item), next: z.string().nullable() }),
);

function parse(contract: HandledContract, input: unknown): unknown {
  const parsed = inputSchema(contract).safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Failure('invalid', `malformed ${contract.name}: ${describeIssues(parsed.error)}`);
}

/** A contract has a permission only if its input has an access scope. */
function assertPermission({ permission }: HandledContract, input: unknown): void {
  if (permission !== null) requirePermission((input as { scope: AccessScope }).scope, permission);
}

/** In development and tests, checks that a reply matches its contract; in production, costs nothing. */
function checkedReply(contract: HandledContract, reply: unknown): unknown {
  if (runtimeChecks) {
    const { error } = replySchema(contract).safeParse(reply);
    if (error)
      throw new Error(`the reply to ${contract.name} is malformed: ${describeIssues(error)}`);
  }
  return reply;
}

const describeIssues = (error: { issues: { path: PropertyKey[]; code?: string }[] }): string =>
  error.issues.map((issue) => `${issue.path.map(String).join('.')} (${issue.code})`).join(', ');
