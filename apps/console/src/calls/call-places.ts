import { Failure } from '@registrar/contracts';
import { Counts } from '@registrar/platform';
import { Injectable } from '@nestjs/common';

/** The most calls that run at a time: of a session, and of all. */
const maxOfSession = 16;
const maxOfAll = 256;

/** Bounds the calls that run at a time. */
@Injectable()
export class CallPlaces {
  readonly #running = new Counts<string>();

  /** @throws {Failure} `over-limit`, `overloaded` */
  async run<T>(session: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.total >= maxOfAll) {
      throw new Failure('overloaded', 'the console is busy', undefined, { retryAfterSeconds: 1 });
    }
    if (this.#running.of(session) >= maxOfSession) {
      const reason = `more than ${maxOfSession} calls at a time`;
      throw new Failure('over-limit', reason, undefined, { retryAfterSeconds: 1 });
    }
    this.#running.add(session, 1);
    try {
      return await work();
    } finally {
      this.#running.add(session, -1);
    }
  }
}
