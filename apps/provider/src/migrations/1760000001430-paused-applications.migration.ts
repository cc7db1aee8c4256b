import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications of a disabled realm are paused. */
export class PausedApplications1760000001430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE applications
        ADD COLUMN is_paused boolean NOT NULL DEFAULT false,
        ADD COLUMN realm_version bigint NOT NULL DEFAULT 0;
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
