import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An index for the metric of taken seats, which counts them at every scrape. */
export class SeatsTaken1760000000212 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX invitation_registrations_seats
        ON invitation_registrations (invitation_id) WHERE holds_seat`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
