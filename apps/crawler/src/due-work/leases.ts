import { Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type Hold } from './claim.ts';

/** Ends what replicas hold, and keeps those that come too late from writing. */
@Injectable()
export class Leases {
  constructor(private readonly database: Database) {}

  /**
   * Writes what came of a claim and ends it, in one transaction.
   *
   * @throws {Failure} `expired`, and nothing is written, when another replica has claimed since
   */
  async finish(hold: Hold, write: () => Promise<void>): Promise<void> {
    await this.database.transaction(async () => {
      const [held] = await this.database.query(
        `UPDATE applications SET lease_until = '-infinity'
         WHERE id = $1 AND epoch = $2
         RETURNING id`,
        [hold.applicationId, hold.epoch],
      );
      if (!held) throw new Failure('expired', 'the work was claimed by another replica since');
      await write();
    });
  }

  /** Gives back what is held, unfinished. Whoever still works for it may write nothing any more. */
  async giveBack(holds: readonly Hold[]): Promise<void> {
    await this.database.query(
      `UPDATE applications AS a SET lease_until = '-infinity', epoch = a.epoch + 1
       FROM unnest($1::integer[], $2::bigint[]) AS held (id, epoch)
       WHERE a.id = held.id AND a.epoch = held.epoch`,
      [holds.map((hold) => hold.applicationId), holds.map((hold) => hold.epoch)],
    );
  }
}
