import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Launches have a label, their links open once, and the keys of links are sealed and rotate. */
export class ContentOrigins1760000001400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null for launches that the previous version opened.
      ALTER TABLE launches ADD COLUMN label text;
      ALTER TABLE launches ADD CONSTRAINT launches_label_key UNIQUE (label);
      -- When the window was first loaded: from then on, its link opens no other.
      ALTER TABLE launches ADD COLUMN loaded_at timestamptz(3);

      CREATE TABLE launch_link_keys (
        kid        text PRIMARY KEY,
        sealed_key text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        -- When links that it signed are refused. Null for the key that signs.
        ends_at    timestamptz(3)
      );
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
