import { Failure } from '@registrar/contracts';
import { type Account, FairQueue, type FairQueueLimits } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import type { PackageOwner } from './package-owner.ts';

/**
 * Packages that are read at the same time: each one holds a process, and an import a database connection, until it
 * ends. One place is left for another owner. What waits is bounded by the space for uploads.
 */
const turnLimits: FairQueueLimits = {
  running: 2,
  runningOfRealm: 'fewer than are free',
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};
/** An owner gives way while the packages of others are read. */
const ofOwner: Omit<Account, 'name'> = {
  running: turnLimits.running,
  besideLighter: { others: 'realms', running: 1, rest: 2 },
  waiting: Infinity,
};

/** The turns of imports and checks: their owners take turns. */
@Injectable()
export class ImportTurns {
  readonly #queue = new FairQueue(
    turnLimits,
    () => new Failure('overloaded', 'a package could not be read in time'),
  );

  /** Reads a package of the owner when it has its turn. */
  run<Result>({ id, name }: PackageOwner, read: () => Promise<Result>): Promise<Result> {
    const owner = { realmId: id, key: 'imports', accounts: [{ name, ...ofOwner }] };
    return this.#queue.run(owner, read, false);
  }
}
