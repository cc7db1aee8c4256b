import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts the results of stored queries by the access that keeps them. */
export class OwnersOfResults1760000000280 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE query_results ADD COLUMN owner text -- null: the realm pair, or an earlier version`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
