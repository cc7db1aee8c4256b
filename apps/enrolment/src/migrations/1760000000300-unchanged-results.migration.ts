import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { showFreshness } from './report-views.ts';

/**
 * A full sweep writes only what has changed: registrations store the digest of their result, a page of
 * a running sweep is one row, and the freshness of unchanged results is kept per provider application.
 */
export class UnchangedResults1760000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE registrations ADD COLUMN result_digest bytea');
    await runner.query(`
      CREATE TABLE swept_pages (
        provider_application_id bigint,
        sequence bigint,
        sweep bigint NOT NULL,
        registration_ids bigint[] NOT NULL,
        PRIMARY KEY (provider_application_id, sequence)
      )`);
    await runner.query(`
      CREATE TABLE crawled_applications (
        provider_application_id bigint PRIMARY KEY,
        swept_sequence bigint NOT NULL DEFAULT 0,
        swept_at timestamptz,
        synced_at timestamptz NOT NULL
      )`);
    await showFreshness(runner);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
