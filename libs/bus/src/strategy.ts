import { setTimeout as pause } from 'node:timers/promises';
import {
  Failure,
  type EventContract,
  type ListContract,
  pageRequest,
  type RequestContract,
} from '#libs/contracts';
import { beforeDeadline, currentOperation, type Logger, runOperation } from '#libs/platform';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type * as z from 'zod';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BusMetrics } from './bus-metrics.ts';
import { answering } from './bus-spans.ts';
import type { ArrivingEvent } from './inbox.ts';
import type { RequestEnvelope } from './envelope.ts';
import type { Outcomes } from './outcomes.ts';
import { busTransport } from './handlers.ts';

type Answering = RequestContract | ListContract;
interface EventHandling {
  readonly contract: EventContract;
  readonly delivery: 'once' | 'broadcast';
}

/** How long a stopping app finishes what it has begun: milliseconds; Kubernetes allows 30 s. */
export const drainTime = 20_000;

/**
 * An app's handlers as Nest has found them, called with parsed input inside the caller's
 * operation. Transports feed it.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  override readonly transportId = busTransport;

  constructor(
    private readonly log: Logger,
    private readonly connect: (server: BusServer) => Promise<void>,
    private readonly disconnect: () => Promise<void>,
    readonly metrics: BusMetrics,
    private readonly outcomes: () => Outcomes,
  ) {
    super();
  }

  listen(callback: (error?: unknown) => void): void {
    this.#refuseMixedDeliveries();
    this.connect(this).then(() => callback(), callback);
  }

  /** Finishes what was begun, as far as there is time for it. */
  async close(): Promise<void> {
    const timer = new AbortController();
    const { signal } = timer;
    const limit = pause(drainTime, 'late' as const, { signal }).catch(() => 'aborted' as const);
    const outcome = await Promise.race([this.disconnect(), limit]);
    timer.abort();
    if (outcome === 'late') this.log.warn('the app stops although it has not finished everything');
  }

  on(): never {
    throw new Error('the bus has no events of its own to listen to');
  }

  unwrap<T>(): T {
    throw new Error('the bus wraps no server');
  }

  /** The events that the app handles, each with the way it wants them. */
  events(delivery: EventHandling['delivery']): EventContract[] {
    return [...this.messageHandlers.values()]
      .filter((handler) => handler.isEventHandler)
      .flatMap((handler) => [...chain(handler)])
      .map((handler) => handler.extras as unknown as EventHandling)
      .filter((handling) => handling.delivery === delivery)
      .map((handling) => handling.contract);
  }

  handles(name: string, delivery: EventHandling['delivery']): boolean {
    const extras = this.messageHandlers.get(name)?.extras as EventHandling | undefined;
    return extras?.delivery === delivery;
  }

  /** Nest chains the handlers of one event, and they can only be delivered to alike. */
  #refuseMixedDeliveries(): void {
    const once = new Set(this.events('once').map((contract) => contract.name));
    const both = this.events('broadcast').find((contract) => once.has(contract.name));
    if (both) throw new Error(`${both.name} is handled both once and as a broadcast`);
  }

  /** Whether the app answers requests at all. */
  get answers(): boolean {
    return [...this.messageHandlers.values()].some((handler) => !handler.isEventHandler);
  }

  /** @throws {Failure} whatever went wrong */
  answer(envelope: RequestEnvelope): Promise<unknown> {
    return answering(envelope, () => this.#answer(envelope));
  }

  async #answer(envelope: RequestEnvelope): Promise<unknown> {
    const { name, deadline, sentAt, requestId, idempotencyKey } = envelope;
    const operation = { requestId, deadline, ...(idempotencyKey && { idempotencyKey }) };
    return runOperation(operation, async () => {
      const handler = this.messageHandlers.get(name);
      if (!handler || handler.isEventHandler) {
        throw new Failure('unavailable', `nobody answers ${name}`);
      }
      if (Date.now() >= deadline) {
        this.metrics.refused('expired');
        throw new Failure('expired', `${name} came after its deadline`);
      }
      const contract = handler.extras?.['contract'] as Answering;
      const input = parse(contract, envelope.input);
      try {
        // Past the deadline nobody waits for the answer, so a stuck handler holds up nothing more.
        const answer = this.metrics.handled(name, sentAt, () =>
          this.outcomes().answer(contract, () => call(handler, input)),
        );
        return await beforeDeadline(answer, deadline, name);
      } catch (error) {
        if (error instanceof Failure) throw error;
        this.log.error({ err: error, request: name }, 'a request handler failed');
        throw new Failure(
          'internal',
          `${name} failed; its cause is in the log of ${contract.context}`,
        );
      }
    });
  }

  /** Calls the handlers of an event, as part of the current operation; throws what they throw. */
  async handle({ name, payload, requestId }: ArrivingEvent): Promise<void> {
    const handler = this.messageHandlers.get(name);
    if (!handler) throw new Failure('invalid', `no handler for ${name}`);
    const { contract } = handler.extras as unknown as EventHandling;
    const parsed = contract.payload.safeParse(payload);
    if (!parsed.success) throw new Failure('invalid', `malformed ${name}: ${faults(parsed.error)}`);
    const operation = currentOperation() ?? { requestId, deadline: null };
    await runOperation(operation, async () => {
      for (const each of chain(handler)) await call(each, parsed.data);
    });
  }
}

/** The schemas of the requests for pages, made once for each list: that is slow. */
const pageInputs = new WeakMap<ListContract, z.ZodType>();

function inputSchema(contract: Answering): z.ZodType {
  if (contract.kind === 'request') return contract.input;
  let schema = pageInputs.get(contract);
  if (!schema) {
    schema = contract.input.extend(pageRequest.shape);
    pageInputs.set(contract, schema);
  }
  return schema;
}

function parse(contract: Answering, input: unknown): unknown {
  const parsed = inputSchema(contract).safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Failure('invalid', `malformed ${contract.name}: ${faults(parsed.error)}`);
}

const faults = (error: { issues: { path: PropertyKey[]; code?: string }[] }): string =>
  error.issues.map((issue) => `${issue.path.map(String).join('.')} (${issue.code})`).join(', ');

function* chain(first: MessageHandler): Iterable<MessageHandler> {
  for (
    let handler: MessageHandler | undefined = first;
    handler;
    handler = handler.next as MessageHandler | undefined
  ) {
    yield handler;
  }
}

async function call(handler: MessageHandler, data: unknown): Promise<unknown> {
  const result: unknown = await handler(data, {});
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}
