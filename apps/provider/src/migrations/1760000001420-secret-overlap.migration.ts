import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A replaced secret key of an application is accepted for a time. */
export class SecretOverlap1760000001420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE applications
        ADD COLUMN previous_secret_hash bytea, ADD COLUMN previous_valid_until timestamptz;
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
