import { Database, sql } from '@registrar/persistence';
import { sampledGauge } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import * as z from 'zod';

const seatsRow = z.object({ free: z.number(), taken: z.number() });

/** Exports the number of seats of the enabled licenses. */
@Injectable()
export class SeatMetrics {
  constructor(
    registry: Registry,
    private readonly database: Database,
  ) {
    sampledGauge(
      registry,
      {
        name: 'registrar_license_seats',
        help: 'Seats of the enabled licenses by state: free or taken.',
        label: 'state',
      },
      () => this.countSeats(),
    );
  }

  /** A partial index covers the seats that are taken. */
  private async countSeats(): Promise<Record<string, number>> {
    const { free, taken } = await this.database.one(
      seatsRow,
      sql`SELECT coalesce(sum(free), 0)::bigint AS free, coalesce(sum(taken), 0)::bigint AS taken
          FROM (
            SELECT (SELECT sum(s.free) FROM invitation_seats AS s
                    WHERE s.invitation_id = i.id) AS free,
                   (SELECT count(*) FROM invitation_registrations AS a
                    WHERE a.invitation_id = i.id AND a.holds_seat) AS taken
            FROM invitations AS i WHERE i.license AND i.enabled
          ) AS by_license`,
    );
    return { free, taken };
  }
}
