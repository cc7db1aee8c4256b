import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A crawl of a long list is divided into windows of time, which replicas crawl side by side. Each has
 * its own place in the list and its own lease.
 */
export class CrawlWindows1760000000430 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE crawl_windows (
        application_id bigint NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        kind text NOT NULL,
        -- that of the divided crawl: windows of a crawl that began anew are left over
        sequence bigint NOT NULL,
        since timestamptz,
        until timestamptz,
        more text,
        items integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease_until timestamptz NOT NULL DEFAULT '-infinity',
        epoch bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (application_id, id)
      )`);
    await runner.query('ALTER TABLE due_crawls ADD COLUMN total integer');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
