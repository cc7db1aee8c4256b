import { Failure } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { type Lease } from './claim.ts';
import { leaseSeconds } from './lease-times.ts';

const fromNow = sql`clock_timestamp() + ${leaseSeconds} * interval '1 s'`;

/** Renews and ends leases. A replica whose lease has expired cannot write. */
@Injectable()
export class Leases {
  constructor(private readonly database: Database) {}

  /**
   * Writes the result of a claim and ends its lease, in one transaction.
   *
   * @throws {Failure} `expired` when the lease has expired; nothing is written then
   */
  async finish(lease: Lease, write: () => Promise<void>): Promise<void> {
    await this.writeUnder(lease, sql`'-infinity'`, write);
  }

  /**
   * Writes a part of the result of a claim and extends its lease, in one transaction.
   *
   * @throws {Failure} `expired` when the lease has expired; nothing is written then
   */
  async keep(lease: Lease, write: () => Promise<void>): Promise<void> {
    await this.writeUnder(lease, fromNow, write);
  }

  private async writeUnder(
    { applicationId, epoch }: Lease,
    leaseUntil: Sql,
    write: () => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const held = await this.database.execute(sql`
        UPDATE applications SET lease_until = ${leaseUntil}
        WHERE id = ${applicationId} AND epoch = ${epoch} AND lease_until > clock_timestamp()`);
      if (held === 0) {
        throw new Failure('expired', 'the lease has ended: another replica may have the work');
      }
      await write();
    });
  }

  /** Extends a lease, unless it has expired. */
  async renew({ applicationId, epoch }: Lease): Promise<void> {
    await this.database.execute(sql`
      UPDATE applications SET lease_until = ${fromNow}
      WHERE id = ${applicationId} AND epoch = ${epoch} AND lease_until > clock_timestamp()`);
  }

  /** Releases unfinished work for other replicas. Its previous holder cannot write any more. */
  async release(leases: readonly Lease[]): Promise<void> {
    const ids = leases.map((lease) => lease.applicationId);
    const epochs = leases.map((lease) => lease.epoch);
    await this.database.execute(sql`
      UPDATE applications AS a SET lease_until = '-infinity', epoch = a.epoch + 1
      FROM unnest(${ids}::bigint[], ${epochs}::bigint[]) AS held (id, epoch)
      WHERE a.id = held.id AND a.epoch = held.epoch`);
  }
}
