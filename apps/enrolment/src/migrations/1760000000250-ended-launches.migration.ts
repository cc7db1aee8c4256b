import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Registrations store when their launches were ended at the provider, and when that is tried next. */
export class EndedLaunches1760000000250 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registrations
        ADD COLUMN launches_ended_at timestamptz, ADD COLUMN end_launches_after timestamptz`);
    await runner.query(`
      CREATE INDEX registrations_with_launches_to_end
        ON registrations (provider_application_id, launched_at)
        WHERE NOT active AND (launches_ended_at IS NULL OR launches_ended_at < launched_at)`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
