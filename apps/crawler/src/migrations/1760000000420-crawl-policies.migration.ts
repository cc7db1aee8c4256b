import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Operators set rate, interval and crawl type of a provider application, and pause it. A rate limit
 * stores the rate to which faults have lowered it, and lets one call out after a fault.
 */
export class CrawlPolicies1760000000420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE applications
        ADD COLUMN rate_per_second integer,
        ADD COLUMN interval_seconds integer,
        ADD COLUMN crawl_type text,
        ADD COLUMN is_paused_by_operator boolean NOT NULL DEFAULT false`);
    await runner.query(`
      ALTER TABLE rate_limits
        ADD COLUMN rate double precision,
        ADD COLUMN probe_until timestamptz NOT NULL DEFAULT '-infinity',
        ADD COLUMN fault text`);
    await runner.query('ALTER TABLE due_crawls ADD COLUMN last_items integer');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
