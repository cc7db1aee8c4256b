import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Registrations store whether the provider told that a launch is still open. */
export class OpenLaunches1760000000230 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE registrations ADD COLUMN launch_open boolean');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
