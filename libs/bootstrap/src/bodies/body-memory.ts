import { Failure } from '@registrar/contracts';
import { Places } from '@registrar/platform';
import { maxBytesOfStrangers } from './body-limits.ts';
import type { BodyOwner } from './parse-turns.ts';

/** The part of each body that does not count: what is read of bodies without access. */
const freeBytes = maxBytesOfStrangers;

/** The bytes of all bodies in memory, beyond the free part of each. */
const maxBytes = 32 * 1024 * 1024;

/** The memory that the body of one request takes. */
export interface BodyAllowance {
  /**
   * @throws {Failure} `over-limit` when the owner has its share; `overloaded` when there is no memory for so
   * many bytes more
   */
  readonly take: (bytes: number) => void;
  /** Gives the memory back. */
  readonly release: () => void;
}

/**
 * Bounds the memory that the bodies of requests take together, from their arrival to the response. A realm has no
 * more than is free, so that one realm alone has half of it, and the next ones half of the rest. A key has no more
 * than its realm could still take, which is a third for the only key.
 */
export class BodyMemory {
  readonly #bytes = new Places(maxBytes);

  open(owner: BodyOwner): BodyAllowance {
    let received = 0;
    let counted = 0;
    return {
      take: (bytes) => {
        received += bytes;
        const more = Math.max(0, received - freeBytes) - counted;
        if (more <= 0) return;
        this.#requireRoom(owner, more);
        this.#bytes.take(owner, more);
        counted += more;
      },
      release: () => {
        this.#bytes.giveBack(owner, counted);
        counted = 0;
      },
    };
  }

  #requireRoom(owner: BodyOwner, bytes: number): void {
    const free = maxBytes - this.#bytes.held - bytes;
    const ofRealm = this.#bytes.heldBy(owner.realmId) + bytes;
    const ofKey = this.#bytes.heldByKey(owner) + bytes;
    if (ofRealm <= free && ofKey <= free - ofRealm) return;
    throw ofRealm > bytes
      ? new Failure('over-limit', 'the bodies of this client take too much memory together')
      : new Failure('overloaded', 'the bodies of requests take too much memory together');
  }
}
