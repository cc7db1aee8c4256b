import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Makes ids bigint. PostgreSQL changes the sequences of identity columns with them. */
export class BigintIds1760000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE realms ALTER COLUMN id TYPE bigint');
    await runner.query(`
      ALTER TABLE provider_applications
        ALTER COLUMN id TYPE bigint, ALTER COLUMN realm_id TYPE bigint`);
    await runner.query('ALTER TABLE users ALTER COLUMN id TYPE bigint');
    await runner.query(`
      ALTER TABLE realm_users
        ALTER COLUMN id TYPE bigint, ALTER COLUMN realm_id TYPE bigint,
        ALTER COLUMN user_id TYPE bigint`);
    await runner.query(`
      ALTER TABLE api_keys
        ALTER COLUMN id TYPE bigint, ALTER COLUMN realm_id TYPE bigint,
        ALTER COLUMN provider_application_id TYPE bigint, ALTER COLUMN user_id TYPE bigint`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
