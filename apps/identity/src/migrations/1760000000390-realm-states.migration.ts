import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Realms can be disabled, and their previous secret key stays valid for an overlap. */
export class RealmStates1760000000390 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE realms
        ADD COLUMN disabled_at timestamptz,
        ADD COLUMN version bigint NOT NULL DEFAULT 0,
        ADD COLUMN previous_secret_hash bytea,
        ADD COLUMN previous_secret_until timestamptz`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
