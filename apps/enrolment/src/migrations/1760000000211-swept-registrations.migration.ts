import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The sequence of the newest sweep that a registration belongs to is stored like those of its newest
 * result, deletion and failure. Whether it is missed is generated from the four sequences, so that
 * it does not depend on the order of the crawls' events.
 */
export class SweptRegistrations1760000000211 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX registrations_to_verify');
    // Renamed, not replaced, because views depend on the column. The previous version, which runs
    // on during an upgrade, gets an empty column of the old name.
    await runner.query(`
      ALTER TABLE registrations RENAME COLUMN missed_sequence TO swept_sequence`);
    await runner.query(`
      UPDATE registrations SET swept_sequence = 0 WHERE swept_sequence IS NULL`);
    await runner.query(`
      ALTER TABLE registrations
        ALTER COLUMN swept_sequence SET DEFAULT 0,
        ALTER COLUMN swept_sequence SET NOT NULL,
        ADD COLUMN missed boolean GENERATED ALWAYS AS (
          swept_sequence > greatest(result_sequence, deletion_sequence, failure_sequence)
          AND deletion_sequence <= result_sequence
        ) STORED,
        ADD COLUMN missed_sequence bigint -- always null; used by the previous version only`);
    await runner.query(`
      CREATE INDEX registrations_to_verify ON registrations (verify_after) WHERE missed`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
