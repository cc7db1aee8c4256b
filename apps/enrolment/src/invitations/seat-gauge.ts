import { Database } from '#libs/persistence';
import { sampledGauge } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Shows the seats of all licences that are open: an index holds those that are taken. */
@Injectable()
export class SeatGauge {
  constructor(
    registry: Registry,
    private readonly database: Database,
  ) {
    sampledGauge(
      registry,
      {
        name: 'registrar_licence_seats',
        help: 'Seats of the licences that are enabled: free, or taken by learners.',
        label: 'state',
      },
      () => this.seats(),
    );
  }

  private async seats(): Promise<Record<string, number>> {
    const [seats] = await this.database.query<{ free: number; taken: number }>(
      `SELECT coalesce(sum(free), 0)::float AS free, coalesce(sum(taken), 0)::float AS taken
       FROM (
         SELECT (SELECT sum(s.free) FROM invitation_seats AS s
                 WHERE s.invitation_id = i.id) AS free,
                (SELECT count(*) FROM invitation_registrations AS g
                 WHERE g.invitation_id = i.id AND g.holds_seat) AS taken
         FROM invitations AS i WHERE i.license AND i.enabled
       ) AS of_licences`,
    );
    return { ...seats };
  }
}
