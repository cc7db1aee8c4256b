import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Course packages that are being uploaded. An upload id is unique within its realm. */
export class PackageUploads1760000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE package_uploads (
        realm_id integer NOT NULL,
        upload_id uuid NOT NULL,
        size bigint NOT NULL, -- bytes of all pieces so far
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (realm_id, upload_id)
      )`);
    await runner.query('CREATE INDEX package_uploads_by_age ON package_uploads (created_at)');
    await runner.query(`
      CREATE TABLE package_pieces (
        realm_id integer NOT NULL,
        upload_id uuid NOT NULL,
        index bigint NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (realm_id, upload_id, index),
        FOREIGN KEY (realm_id, upload_id) REFERENCES package_uploads ON DELETE CASCADE
      )`);
    // Packages are compressed already.
    await runner.query('ALTER TABLE package_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
