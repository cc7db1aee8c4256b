import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { clientNetwork } from '../client-network.ts';
import { maxBytesOfStrangers } from './body-limits.ts';

const kilobyte = 1024;

/** The part of each body that does not count: what is read before access is known. */
const freeBytes = maxBytesOfStrangers;

/** The bytes of bodies in memory, beyond the free part of each: in all, and of one client network. */
const maxBytes = 32 * kilobyte * kilobyte;
const maxBytesPerNetwork = maxBytes / 2;

/** The memory that the body of one request takes. */
export interface BodyAllowance {
  /**
   * @throws {Failure} `over-limit` when the client network has its share; `overloaded` when there is
   * no memory for so many bytes more
   */
  readonly take: (bytes: number) => void;
  /** Gives the memory back. */
  readonly release: () => void;
}

/** Bounds the memory that the bodies of requests take together, from their arrival to the response. */
export class BodyMemory {
  #taken = 0;
  readonly #byNetwork = new Map<string, number>();

  open(request: FastifyRequest): BodyAllowance {
    const network = clientNetwork(request.ip);
    let received = 0;
    let counted = 0;
    return {
      take: (bytes) => {
        received += bytes;
        const more = Math.max(0, received - freeBytes) - counted;
        this.#requireRoom(network, more);
        counted += more;
        this.#add(network, more);
      },
      release: () => {
        this.#add(network, -counted);
        counted = 0;
      },
    };
  }

  #requireRoom(network: string, bytes: number): void {
    const ofNetwork = this.#byNetwork.get(network) ?? 0;
    if (ofNetwork + bytes > maxBytesPerNetwork) {
      throw new Failure('over-limit', 'the bodies of this address take too much memory together');
    }
    if (this.#taken + bytes > maxBytes) {
      throw new Failure('overloaded', 'the bodies of requests take too much memory together');
    }
  }

  #add(network: string, bytes: number): void {
    this.#taken += bytes;
    const ofNetwork = (this.#byNetwork.get(network) ?? 0) + bytes;
    if (ofNetwork > 0) this.#byNetwork.set(network, ofNetwork);
    else this.#byNetwork.delete(network);
  }
}
