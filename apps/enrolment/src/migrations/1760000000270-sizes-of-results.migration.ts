import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts the results of stored queries by realm. Results of earlier versions count for no realm. */
export class SizesOfResults1760000000270 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE query_results
        ADD COLUMN realm_id bigint,
        ADD COLUMN row_count bigint NOT NULL DEFAULT 0,
        ADD COLUMN byte_count bigint NOT NULL DEFAULT 0`);
    await runner.query('CREATE INDEX query_results_by_realm ON query_results (realm_id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
