import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The title and custom text of course creates whose package is being imported. The create applies
 * them, or the crawl that finds the course when the import outlasts the request.
 */
export class PendingCreates1760000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pending_creates (
        provider_application_id integer NOT NULL,
        course_guid text NOT NULL,
        title text,
        custom text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (provider_application_id, course_guid)
      )`);
    await runner.query('CREATE INDEX pending_creates_by_age ON pending_creates (created_at)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
