import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of registrations and launches, whose number grows without limit, become bigint. */
export class BigintIds1760000001100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registrations ALTER COLUMN id TYPE bigint;
      ALTER TABLE launches
        ALTER COLUMN id TYPE bigint,
        ALTER COLUMN registration TYPE bigint;
      ALTER TABLE sco_states ALTER COLUMN registration TYPE bigint;
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
