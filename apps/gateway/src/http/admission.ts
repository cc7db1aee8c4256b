import { appLogger, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';

/**
 * How many requests of each kind one gateway has in hand at a time. Those that are `brief` are as
 * many as keep two replicas of every context busy (one works on 64) and few enough that, when all of
 * them come at once, the next need not wait long to be turned away. Those that are `long`, lists
 * that are being sent and uploads, last as long as their client takes: slow ones use up no place of
 * the others, and each holds two pages or a piece of a package in memory.
 */
const places = { brief: 128, long: 64 } as const;
type Kind = keyof typeof places;
const kinds = Object.keys(places) as Kind[];

/** What a request holds. */
interface Place {
  kind: Kind;
  /** Goes on when the client has gone. */
  work?: Promise<unknown>;
}

/** How often the log tells that requests are turned away: milliseconds. */
const tellingInterval = 10_000;

/**
 * The door: a request that comes when the gateway has its hands full is turned away before any
 * work. It would only wait, and make all others wait longer.
 */
@Injectable()
export class Admission {
  readonly #inFlight: Record<Kind, number> = { brief: 0, long: 0 };
  readonly #places = new WeakMap<FastifyRequest, Place>();
  readonly #shed: Counter<'kind'>;
  #toldAt = -Infinity;

  constructor(
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    const labelNames = ['kind'] as const;
    const registers = [registry];
    this.#shed = new Counter({
      name: 'registrar_http_shed_total',
      help: 'Requests turned away at the door, because the gateway had its hands full.',
      labelNames,
      registers,
    });
    // A series that begins with its first increase would hide that from rates.
    for (const kind of kinds) this.#shed.inc({ kind }, 0);
    const inFlight = this.#inFlight;
    new Gauge({
      name: 'registrar_http_in_flight',
      help: 'Requests that the gateway has in hand.',
      labelNames,
      registers,
      collect() {
        for (const [kind, count] of Object.entries(inFlight)) this.set({ kind }, count);
      },
    });
  }

  /**
   * Whether there is a place for a request. It keeps the place until its answer is sent or its
   * client has gone, and {@link Admission.during its work} is done.
   */
  admits(operation: Operation, request: FastifyRequest, reply: FastifyReply): boolean {
    const place: Place = { kind: operation.takesPackage ? 'long' : 'brief' };
    if (!this.#hasRoom(place.kind) || (operation.list && !this.#hasRoom('long'))) return false;
    this.#inFlight[place.kind] += 1;
    this.#places.set(request, place);
    const leave = () => void (this.#inFlight[place.kind] -= 1);
    reply.raw.once('close', () => {
      if (place.work) place.work.then(leave, leave);
      else leave();
    });
    return true;
  }

  /** Lets the work for a request keep its place, for it goes on when the client has gone. */
  during<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
    const place = this.#places.get(request);
    if (place) place.work = work;
    return work;
  }

  /**
   * Whether there is a place for a list whose first page is there: until then it takes as long as
   * any request, and from now on as long as its client takes.
   */
  letsSend(request: FastifyRequest): boolean {
    const place = this.#places.get(request);
    if (!place || !this.#hasRoom('long')) return false;
    this.#inFlight[place.kind] -= 1;
    place.kind = 'long';
    this.#inFlight.long += 1;
    return true;
  }

  #hasRoom(kind: Kind): boolean {
    if (this.#inFlight[kind] < places[kind]) return true;
    this.#shed.inc({ kind });
    this.#tell(kind);
    return false;
  }

  /** A line for each would be work. */
  #tell(kind: Kind): void {
    const now = Date.now();
    if (now - this.#toldAt < tellingInterval) return;
    this.#toldAt = now;
    this.logger.warn({ kind, in_flight: this.#inFlight[kind] }, 'requests are turned away');
  }
}
