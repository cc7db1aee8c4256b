import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Clients' calls and crawls share a limit for each provider application, of which crawls may use a part.
 */
export class CallLimits1760000000440 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE applications ADD COLUMN calls_per_second integer');
    await runner.query(`
      ALTER TABLE rate_limits
        ADD COLUMN crawl_tokens double precision,
        ADD COLUMN interactive_until timestamptz NOT NULL DEFAULT '-infinity'`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
