import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Who sends an upload, and when it was last worked on. For uploads of earlier versions that is when
 * the migration ran.
 */
export class OwnersOfUploads1760000000320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE package_uploads
        ADD COLUMN active_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN application_id bigint, -- null: access to the whole realm
        ADD COLUMN attempt_id uuid`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
