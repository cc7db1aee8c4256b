import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All launches of a registration can be ended. */
export class EndedLaunches1760000001410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Links contain the number that they were made under: a higher one ends them.
      ALTER TABLE registrations ADD COLUMN launch_generation integer NOT NULL DEFAULT 0;
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
