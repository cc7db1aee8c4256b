import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The copy of the catalog's courses: what enrolment needs of them. */
export class Courses1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE courses (
        id integer PRIMARY KEY, -- the catalog's own id
        provider_application_id integer NOT NULL,
        course_guid text NOT NULL,
        title text NOT NULL,
        deleted boolean NOT NULL,
        version bigint NOT NULL -- of the event that was applied last
      )`);
    // Not unique: a course that was deleted and created again has two rows for a while.
    await runner.query(`
      CREATE INDEX courses_by_guid ON courses (provider_application_id, course_guid)`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
