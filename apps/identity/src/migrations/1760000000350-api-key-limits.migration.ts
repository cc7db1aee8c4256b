import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the permissions and the own lifetime of API keys; existing keys have all permissions. */
export class ApiKeyLimits1760000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN permissions text[] NOT NULL DEFAULT '{read,write,launch}',
        ADD COLUMN lifetime_hours integer`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
