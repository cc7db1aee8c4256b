import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Serves the pages of a realm's users, and the search for API keys that have expired. */
export class RealmOperation1760000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX realm_users_by_realm ON realm_users (realm_id, id)');
    await runner.query('CREATE INDEX api_keys_by_expiry ON api_keys (expires_at)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
