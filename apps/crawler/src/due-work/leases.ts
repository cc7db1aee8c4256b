import { Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type Hold } from './claim.ts';
import { leaseTime } from './lease.ts';

/** Ends what replicas hold, and keeps those that come too late from writing. */
@Injectable()
export class Leases {
  constructor(private readonly database: Database) {}

  /**
   * Writes what came of a claim and ends it, in one transaction.
   *
   * @throws {Failure} `expired`, and nothing is written, when the lease has ended
   */
  async finish(hold: Hold, write: () => Promise<void>): Promise<void> {
    await this.database.transaction(async () => {
      const [held] = await this.database.query(
        `UPDATE applications SET lease_until = '-infinity'
         WHERE id = $1 AND epoch = $2 AND lease_until > clock_timestamp()
         RETURNING id`,
        [hold.applicationId, hold.epoch],
      );
      if (!held) throw new Failure('expired', 'the lease has ended: others may have the work');
      await write();
    });
  }

  /** Keeps others away for longer; a lease that has ended stays so. */
  async renew(hold: Hold): Promise<void> {
    await this.database.query(
      `UPDATE applications SET lease_until = clock_timestamp() + interval '${leaseTime} s'
       WHERE id = $1 AND epoch = $2 AND lease_until > clock_timestamp()`,
      [hold.applicationId, hold.epoch],
    );
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
