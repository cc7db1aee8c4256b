import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Makes the ids of provider applications and realms bigint, as in the identity context. */
export class BigintIds1760000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE applications
        ALTER COLUMN id TYPE bigint, ALTER COLUMN realm_id TYPE bigint`);
    for (const table of ['due_crawls', 'due_registrations', 'rate_limits', 'crawl_history']) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN application_id TYPE bigint`);
    }
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
