import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Courses, and the last applied sweep of each provider application. `sequence` is the one of the
 * newest crawl or sweep that found or missed the course (libs/contracts, crawler); 0 stands for none.
 */
export class Courses1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Only new courses use up an id: an identity column would use one up for each crawled course.
    await runner.query('CREATE SEQUENCE course_ids AS integer');
    await runner.query(`
      CREATE TABLE courses (
        id integer PRIMARY KEY,
        provider_application_id integer NOT NULL,
        course_guid text NOT NULL,
        provider_title text NOT NULL,
        given_title text, -- set by course create; takes precedence over the provider's
        title text NOT NULL GENERATED ALWAYS AS (coalesce(given_title, provider_title)) STORED,
        size bigint NOT NULL,
        versions bigint NOT NULL,
        registrations bigint NOT NULL,
        learning_standard text,
        metadata json NOT NULL,
        custom text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted boolean NOT NULL DEFAULT false,

        -- rises with every change that other contexts learn of
        version integer NOT NULL DEFAULT 1,
        changed_at timestamptz NOT NULL DEFAULT now(),

        sequence bigint NOT NULL,
        -- when a create last read the course at the provider
        confirmed_at timestamptz NOT NULL,

        UNIQUE (provider_application_id, course_guid)
      )`);
    await runner.query(`
      CREATE INDEX courses_by_application ON courses (provider_application_id, id)
        WHERE NOT deleted`);
    await runner.query(`
      CREATE TABLE sweeps (
        provider_application_id integer PRIMARY KEY,
        sequence bigint NOT NULL
      )`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
