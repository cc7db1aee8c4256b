import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrations store the objectives that the activities of their course share. */
export class GlobalObjectives1760000001300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registrations ADD COLUMN global_objectives jsonb NOT NULL DEFAULT '{}';
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
