import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Makes ids bigint, those of other contexts included. */
export class BigintIds1760000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER SEQUENCE course_ids AS bigint');
    await runner.query(`
      ALTER TABLE courses
        ALTER COLUMN id TYPE bigint, ALTER COLUMN provider_application_id TYPE bigint`);
    await runner.query('ALTER TABLE sweeps ALTER COLUMN provider_application_id TYPE bigint');
    await runner.query(
      'ALTER TABLE pending_creates ALTER COLUMN provider_application_id TYPE bigint',
    );
    await runner.query('ALTER TABLE package_uploads ALTER COLUMN realm_id TYPE bigint');
    await runner.query('ALTER TABLE package_pieces ALTER COLUMN realm_id TYPE bigint');
    await runner.query(`
      ALTER TABLE templates ALTER COLUMN id TYPE bigint, ALTER COLUMN realm_id TYPE bigint`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
