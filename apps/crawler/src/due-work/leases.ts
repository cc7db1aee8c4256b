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
    lease: Lease,
    leaseUntil: Sql,
    write: () => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const held = await this.prolong(lease, leaseUntil);
      if (held === 0) {
        throw new Failure('expired', 'the lease has ended: another replica may have the work');
      }
      await write();
    });
  }

  /** Extends a lease, unless it has expired. */
  async renew(lease: Lease): Promise<void> {
    await this.prolong(lease, fromNow);
  }

  /** Sets the end of a lease, and returns 0 if it has expired. */
  private prolong({ applicationId, window, epoch }: Lease, leaseUntil: Sql): Promise<number> {
    const held = sql`epoch = ${epoch} AND lease_until > clock_timestamp()`;
    return this.database.execute(
      window
        ? sql`UPDATE crawl_windows SET lease_until = ${leaseUntil}
              WHERE application_id = ${applicationId} AND id = ${window.id} AND ${held}`
        : sql`UPDATE applications SET lease_until = ${leaseUntil}
              WHERE id = ${applicationId} AND ${held}`,
    );
  }

  /** Releases unfinished work for other replicas. Its previous holder cannot write any more. */
  async release(leases: readonly Lease[]): Promise<void> {
    const ids = leases.map((lease) => lease.applicationId);
    const windowIds = leases.map(({ window }) => window?.id ?? null);
    const epochs = leases.map((lease) => lease.epoch);
    await this.database.execute(sql`
      WITH held AS (
        SELECT * FROM unnest(${ids}::bigint[], ${windowIds}::bigint[], ${epochs}::bigint[])
          AS h (application_id, window_id, epoch)
      ), released AS (
        UPDATE crawl_windows AS w SET lease_until = '-infinity', epoch = w.epoch + 1
        FROM held
        WHERE w.application_id = held.application_id AND w.id = held.window_id
          AND w.epoch = held.epoch
      )
      UPDATE applications AS a SET lease_until = '-infinity', epoch = a.epoch + 1
      FROM held
      WHERE a.id = held.application_id AND held.window_id IS NULL AND a.epoch = held.epoch`);
  }
}
