import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The newest sweep that concerned a registration is kept as its newest result, deletion and failure
 * are, and whether it is missed follows from all four: the order in which they come plays no part.
 */
export class SweptRegistrations1760000000211 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX registrations_to_verify');
    // Renamed, not replaced: the views of reports hold on to it. The version before, which serves
    // on for a while, gets an empty column in its place.
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
        ADD COLUMN missed_sequence bigint -- null; for the version before alone`);
    await runner.query(`
      CREATE INDEX registrations_to_verify ON registrations (verify_after) WHERE missed`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
