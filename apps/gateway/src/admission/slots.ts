import { Failure } from '@registrar/contracts';
import { appLogger, clock, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';
import { ShedRequest } from './over-limit.ts';

/**
 * How many requests of each kind one gateway has in flight.
 *
 * - `request`: those that are worked on or wait for their turn (turns.ts), and 64 more whose
 *   access is being looked up.
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

/** The realm's stream slots are used up. */
class OverShare extends Failure {
  constructor() {
    super('over-limit', 'the realm has its share of the lists and uploads under way');
  }
}

/** The place of one request among those in flight. */
export interface Slot {
  /**
   * Takes a slot of kind `request`, once the request has arrived.
   *
   * @throws {ShedRequest} when there is none
   */
  acquire(): void;
  /** @throws {OverShare} if the request could not become a stream now */
  requireStream(realmId: number): void;
  /**
   * Exchanges the slot for one of kind `stream`: for an upload, and for a list once its first page
   * is there, because from then on the client sets the pace.
   *
   * @throws {OverShare} when the realm has its share
   */
  becomeStream(realmId: number): void;
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
  readonly #inFlight: Record<Kind, number> = { request: 0, stream: 0 };
  readonly #streamsByRealm = new Map<number, number>();
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
   * Sheds a request for which there is no slot when its headers have arrived.
   *
   * @throws {ShedRequest}
   */
  requireSlotFor(operation: Operation): void {
    const needed = operation.list || operation.acceptsPackage ? kinds : (['request'] as const);
    const missing = needed.find((kind) => this.#inFlight[kind] >= maxInFlight[kind]);
    if (missing) throw this.shed(missing);
  }

  /**
   * The slot of a request, not yet acquired. It is released when the response is sent or the client
   * has disconnected, and the work has settled.
   */
  openSlot(reply: FastifyReply): Slot {
    let kind: Kind | null = null;
    let realm = 0;
    const release = () => {
      if (kind === 'request') this.#inFlight.request -= 1;
      if (kind === 'stream') this.#releaseStream(realm);
    };
    let pending = 2;
    const settle = () => {
      pending -= 1;
      if (pending === 0) release();
    };
    if (reply.raw.destroyed) settle();
    else reply.raw.once('close', settle);
    return {
      acquire: () => {
        if (kind !== null) return;
        if (this.#inFlight.request >= maxInFlight.request) throw this.shed('request');
        kind = 'request';
        this.#inFlight.request += 1;
      },
      requireStream: (realmId) => this.#requireStream(realmId),
      becomeStream: (realmId) => {
        if (kind === 'stream') return;
        this.#requireStream(realmId);
        this.#streamsByRealm.set(realmId, this.#streamsOf(realmId) + 1);
        this.#inFlight.stream += 1;
        this.#inFlight.request -= 1;
        kind = 'stream';
        realm = realmId;
      },
      giveBack: () => {
        release();
        kind = null;
      },
      settle,
    };
  }

  /**
   * A realm gets a slot as long as it has fewer than are free. So one realm alone has at most half
   * of them, and the next ones half of the rest: a realm that takes all it can leaves some for the
   * others (Choudhury and Hahne, Dynamic Queue Length Thresholds, 1998).
   */
  #requireStream(realmId: number): void {
    const free = maxInFlight.stream - this.#inFlight.stream;
    if (this.#streamsOf(realmId) < free) return;
    this.#overShare.inc();
    throw new OverShare();
  }

  #streamsOf(realmId: number): number {
    return this.#streamsByRealm.get(realmId) ?? 0;
  }

  #releaseStream(realmId: number): void {
    this.#inFlight.stream -= 1;
    const left = this.#streamsOf(realmId) - 1;
    if (left > 0) this.#streamsByRealm.set(realmId, left);
    else this.#streamsByRealm.delete(realmId);
  }

  /** The error for a request that is shed; counted, and logged at an interval. */
  shed(kind: Kind): ShedRequest {
    this.#shed.inc({ kind });
    this.#logOverload(kind);
    return new ShedRequest('overloaded', 'all slots are taken', retryAfterSeconds);
  }

  /** Logs at an interval: a line for each request would add to the load. */
  #logOverload(kind: Kind): void {
    const now = clock.now();
    if (now - this.#lastLoggedAt < overloadLogIntervalMs) return;
    this.#lastLoggedAt = now;
    this.logger.warn({ kind, in_flight: this.#inFlight[kind] }, 'requests are shed: overloaded');
  }
}
