import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';

/**
 * How many requests of each kind one gateway serves at a time.
 *
 * - `request`: enough to keep two replicas of every context busy (each works on 64), and few enough
 *   that a burst of that size does not delay the 503 of the next one.
 * - `stream`: lists being sent and uploads. They last as long as their client takes, so they have
 *   slots of their own, and each holds two pages or a piece of a package in memory.
 */
const maxInFlight = { request: 128, stream: 64 } as const;
type Kind = keyof typeof maxInFlight;
const kinds = Object.keys(maxInFlight) as Kind[];

interface Slot {
  kind: Kind;
  /** Continues after the client has disconnected. */
  work?: Promise<unknown>;
}

/** The shortest time between two log lines about overload. */
const overloadLogIntervalMs = 10_000;

/**
 * Bounds the requests in flight and sheds those beyond the bound before any other work: a queue
 * would only make all requests slower.
 */
@Injectable()
export class ConcurrencyLimiter {
  readonly #inFlight: Record<Kind, number> = { request: 0, stream: 0 };
  readonly #slots = new WeakMap<FastifyRequest, Slot>();
  readonly #shed: Counter<'kind'>;
  #lastLoggedAt = -Infinity;

  constructor(
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    const labelNames = ['kind'] as const;
    const registers = [registry];
    this.#shed = new Counter({
      name: 'registrar_http_shed_total',
      help: 'Requests rejected with 503 because all slots of their kind were taken.',
      labelNames,
      registers,
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const kind of kinds) this.#shed.inc({ kind }, 0);
    const inFlight = this.#inFlight;
    new Gauge({
      name: 'registrar_http_in_flight',
      help: 'Requests in flight.',
      labelNames,
      registers,
      collect() {
        for (const [kind, count] of Object.entries(inFlight)) this.set({ kind }, count);
      },
    });
  }

  /**
   * Acquires a slot for a request; returns false when there is none. The slot is released when the
   * response is sent or the client has disconnected, and the work passed to
   * {@link ConcurrencyLimiter.holdSlotDuring} has settled.
   */
  acquireSlot(operation: Operation, request: FastifyRequest, reply: FastifyReply): boolean {
    const slot: Slot = { kind: operation.acceptsPackage ? 'stream' : 'request' };
    if (!this.#hasSlot(slot.kind) || (operation.list && !this.#hasSlot('stream'))) return false;
    this.#inFlight[slot.kind] += 1;
    this.#slots.set(request, slot);
    const release = () => void (this.#inFlight[slot.kind] -= 1);
    reply.raw.once('close', () => {
      if (slot.work) slot.work.then(release, release);
      else release();
    });
    return true;
  }

  /** Keeps a request's slot until `work` has settled, even if the client disconnects earlier. */
  holdSlotDuring<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
    const slot = this.#slots.get(request);
    if (slot) slot.work = work;
    return work;
  }

  /**
   * Exchanges the slot of a list for one of kind `stream`; returns false when there is none. Called
   * once the first page is there, because from then on the client sets the pace.
   */
  acquireStreamSlot(request: FastifyRequest): boolean {
    const slot = this.#slots.get(request);
    if (!slot || !this.#hasSlot('stream')) return false;
    this.#inFlight[slot.kind] -= 1;
    slot.kind = 'stream';
    this.#inFlight.stream += 1;
    return true;
  }

  #hasSlot(kind: Kind): boolean {
    if (this.#inFlight[kind] < maxInFlight[kind]) return true;
    this.#shed.inc({ kind });
    this.#logOverload(kind);
    return false;
  }

  /** Logs at an interval: a line for each request would add to the load. */
  #logOverload(kind: Kind): void {
    const now = Date.now();
    if (now - this.#lastLoggedAt < overloadLogIntervalMs) return;
    this.#lastLoggedAt = now;
    this.logger.warn({ kind, in_flight: this.#inFlight[kind] }, 'requests are shed: overloaded');
  }
}
