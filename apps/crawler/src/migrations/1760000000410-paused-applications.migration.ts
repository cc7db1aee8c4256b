import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Provider applications of disabled realms are not crawled. */
export class PausedApplications1760000000410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE applications ADD COLUMN is_paused boolean NOT NULL DEFAULT false',
    );
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
