import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What a course create wanted beside the package that it brings to a provider, until the course is
 * in the catalog: by the create itself, or by a crawl when the import outlasts the request.
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
