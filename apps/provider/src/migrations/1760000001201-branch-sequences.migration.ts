import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Branches of run-time data are ordered one by one, because reports arrive in parts. */
export class BranchSequences1760000001201 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sco_states ADD COLUMN branch_sequences jsonb NOT NULL DEFAULT '{}';
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
