import { Failure } from '@registrar/contracts';
import { appLogger, clock, type Holder, type Logger, Places } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';
import { ShedRequest } from './over-limit.ts';

/**
 * How many requests of each kind one gateway has in flight.
 *
 * - `request`: as many as are worked on and wait for their turn (turns.ts). Those whose access is being looked up, and
 *   those that hang, count among them.
 * - `stream`: lists being sent and uploads. They last as long as their client takes, so they have
 *   slots of their own, and each holds two pages or a piece of a package in memory.
 */
const maxInFlight = { request: 384, stream: 128 } as const;
type Kind = keyof typeof maxInFlight;
const kinds = Object.keys(maxInFlight) as Kind[];

/** The shortest time between two log lines about overload. */
const overloadLogIntervalMs = 10_000;

/** When a request should be repeated that was shed: seconds. */
const retryAfterSeconds = 1;

/** The place of one request among those in flight. */
export interface Slot {
  /**
   * Takes a slot of kind `request`, once the request has arrived.
   *
   * @throws {ShedRequest} when there is none
   */
  acquire(): void;
  /** @throws {Failure} `over-limit` if the request is not a stream and could not become one now */
  requireStream(holder: Holder): void;
  /**
   * Exchanges the slot for one of kind `stream`: for an upload, and for a list once its first page
   * is there, because from then on the client sets the pace.
   *
   * @throws {Failure} `over-limit` when the realm, or within it the key or user, has its share
   */
  becomeStream(holder: Holder): void;
  /** Gives the slot back before the response is sent, which needs no more work. */
  giveBack(): void;
  /** Ends the work for the request, which may outlast the client's connection. */
  settle(): void;
}

/**
 * Bounds the requests in flight and sheds those beyond the bound before any other work: a queue
 * would only make all requests slower.
 */
@Injectable()
export class Slots {
  #requests = 0;
  readonly #streams = new Places(maxInFlight.stream);
  readonly #shed: Counter<'kind'>;
  readonly #overShare: Counter;
  #lastLoggedAt = -Infinity;

  constructor(
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    const labelNames = ['kind'] as const;
    const registers = [registry];
    this.#shed = new Counter({
      name: 'registrar_http_shed_total',
      help: 'Requests rejected with 503 because the slots of their kind were taken.',
      labelNames,
      registers,
    });
    // rate() misses the first increase of a series that does not start at 0.
    for (const kind of kinds) this.#shed.inc({ kind }, 0);
    this.#overShare = new Counter({
      name: 'registrar_http_over_share_total',
      help: 'Lists and uploads rejected with 503 because their realm had its share of the slots.',
      registers,
    });
    const inFlight = (kind: Kind) => this.#inFlight(kind);
    new Gauge({
      name: 'registrar_http_in_flight',
      help: 'Requests in flight.',
      labelNames,
      registers,
      collect() {
        for (const kind of kinds) this.set({ kind }, inFlight(kind));
      },
    });
  }

  /**
   * Sheds a request for which there is no slot when its headers have arrived.
   *
   * @throws {ShedRequest}
   */
  requireSlotFor(operation: Operation): void {
    const needed = operation.list || operation.acceptsPackage ? kinds : (['request'] as const);
    const missing = needed.find((kind) => this.#inFlight(kind) >= maxInFlight[kind]);
    if (missing) throw this.shed(missing);
  }

  /**
   * The slot of a request, not yet acquired. It is released when the response is sent or the client
   * has disconnected, and the work has settled.
   */
  openSlot(reply: FastifyReply): Slot {
    /** What it holds: a slot of kind `request`, or of kind `stream` for somebody. */
    let held: 'request' | Holder | null = null;
    const release = () => {
      if (held === 'request') this.#requests -= 1;
      else if (held) this.#streams.giveBack(held);
      held = null;
    };
    const isStream = () => held !== null && held !== 'request';
    let pending = 2;
    const settle = () => {
      pending -= 1;
      if (pending === 0) release();
    };
    if (reply.raw.destroyed) settle();
    else reply.raw.once('close', settle);
    return {
      acquire: () => {
        if (held) return;
        if (this.#requests >= maxInFlight.request) throw this.shed('request');
        held = 'request';
        this.#requests += 1;
      },
      requireStream: (holder) => {
        if (!isStream()) this.#requireStream(holder);
      },
      becomeStream: (holder) => {
        if (isStream()) return;
        this.#requireStream(holder);
        release();
        this.#streams.take(holder);
        held = holder;
      },
      giveBack: release,
      settle,
    };
  }

  #inFlight(kind: Kind): number {
    return kind === 'request' ? this.#requests : this.#streams.held;
  }

  #requireStream(holder: Holder): void {
    if (this.#streams.isFreeFor(holder, 'fewer than are free')) return;
    this.#overShare.inc();
    const reason = 'the realm or its key has its share of the lists and uploads under way';
    throw new Failure('over-limit', reason);
  }

  /** The error for a request that is shed; counted, and logged at an interval: a line for each would add to the load. */
  shed(kind: Kind, reason = 'all slots are taken'): ShedRequest {
    this.#shed.inc({ kind });
    const now = clock.now();
    if (now - this.#lastLoggedAt >= overloadLogIntervalMs) {
      this.#lastLoggedAt = now;
      const fields = { kind, in_flight: this.#inFlight(kind), reason };
      this.logger.warn(fields, 'requests are shed: overloaded');
    }
    return new ShedRequest('overloaded', reason, retryAfterSeconds);
  }
}
