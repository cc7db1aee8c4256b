import { appLogger, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';

/**
 * How many requests of each kind one gateway has in hand at a time. Those that are `brief` are as
 * many as keep every context busy (a replica works on 64) and few enough that, where the gateway
 * itself is the narrowest part, nobody waits long for its processor. Those that are `long`, lists
 * and uploads, last as long as their client takes: slow ones use up no place of the others, and
 * each holds two pages or a piece of a package in memory.
 */
const places = { brief: 256, long: 64 } as const;
type Kind = keyof typeof places;

/** How often the log tells that requests are turned away: milliseconds. */
const tellingInterval = 10_000;

/**
 * The door: a request that comes when the gateway has its hands full is turned away before any
 * work. It would only wait, and make all others wait longer.
 */
@Injectable()
export class Admission {
  readonly #inFlight: Record<Kind, number> = { brief: 0, long: 0 };
  readonly #work = new WeakMap<FastifyRequest, Promise<unknown>>();
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
    const kind = operation.list || operation.takesPackage ? 'long' : 'brief';
    if (this.#inFlight[kind] >= places[kind]) {
      this.#shed.inc({ kind });
      this.#tell(kind);
      return false;
    }
    this.#inFlight[kind] += 1;
    const leave = () => void (this.#inFlight[kind] -= 1);
    reply.raw.once('close', () => {
      const work = this.#work.get(request);
      if (work) work.then(leave, leave);
      else leave();
    });
    return true;
  }

  /** Lets the work for a request keep its place, for it goes on when the client has gone. */
  during<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
    this.#work.set(request, work);
    return work;
  }

  /** A line for each would be work. */
  #tell(kind: Kind): void {
    const now = Date.now();
    if (now - this.#toldAt < tellingInterval) return;
    this.#toldAt = now;
    this.logger.warn({ kind, in_flight: this.#inFlight[kind] }, 'requests are turned away');
  }
}
