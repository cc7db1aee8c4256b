import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds when API keys were last used, and the end beyond which they are not renewed. */
export class ApiKeyUse1760000000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Existing keys count as used now: nobody knows whether and when they were.
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN last_used_at timestamptz DEFAULT now(), ADD COLUMN ends_at timestamptz`);
    await runner.query('ALTER TABLE api_keys ALTER COLUMN last_used_at DROP DEFAULT');
    // Blocks writes to the table, about 2 s for a million keys.
    await runner.query('CREATE INDEX api_keys_by_realm ON api_keys (realm_id, id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
