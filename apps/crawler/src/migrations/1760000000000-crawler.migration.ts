import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Creates the tables of due work, rate limits and the crawl history. Rate limits and due
 * registrations have no foreign key to applications: a request or an event may name an application
 * that the crawler does not know yet.
 */
export class Crawler1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SEQUENCE crawl_sequence');
    await runner.query(`
      CREATE TABLE applications (
        id integer PRIMARY KEY,
        realm_id integer NOT NULL,
        last_served_at timestamptz NOT NULL DEFAULT '-infinity',
        -- the rate limit allows no call before
        serve_after timestamptz NOT NULL DEFAULT '-infinity',
        lease_until timestamptz NOT NULL DEFAULT '-infinity',
        -- rises with every claim; the holder of an older epoch cannot write
        epoch bigint NOT NULL DEFAULT 0
      )`);
    await runner.query('CREATE INDEX applications_by_turn ON applications (last_served_at, id)');
    await runner.query(`
      CREATE TABLE due_crawls (
        application_id integer NOT NULL REFERENCES applications,
        kind text NOT NULL CHECK (kind IN (
          'changed-registrations', 'all-registrations', 'courses', 'registrations-by-name'
        )),
        due_at timestamptz NOT NULL,
        last_served_at timestamptz NOT NULL DEFAULT '-infinity',
        interval_seconds integer NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        -- the start of the last complete crawl of this kind
        window_at timestamptz,

        -- the crawl in progress: its place in the provider's list, and what it has read
        more text,
        sequence bigint,
        started_at timestamptz,
        items integer NOT NULL DEFAULT 0,
        course_guids text[] NOT NULL DEFAULT '{}',

        PRIMARY KEY (application_id, kind)
      )`);
    await runner.query(`
      CREATE TABLE due_registrations (
        application_id integer NOT NULL,
        registration_guid text NOT NULL,
        due_at timestamptz NOT NULL,
        -- number of crawls since the last launch
        step integer NOT NULL,
        PRIMARY KEY (application_id, registration_guid)
      )`);
    await runner.query(`
      CREATE INDEX due_registrations_by_time ON due_registrations (application_id, due_at)`);
    await runner.query(`
      CREATE TABLE rate_limits (
        application_id integer PRIMARY KEY,
        tokens double precision NOT NULL,
        refilled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        paused_until timestamptz NOT NULL DEFAULT now(),
        failures integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`
      CREATE TABLE crawl_history (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        application_id integer NOT NULL,
        kind text NOT NULL,
        outcome text NOT NULL CHECK (outcome IN ('done', 'failed')),
        items integer NOT NULL,
        error text,
        started_at timestamptz NOT NULL,
        finished_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX crawl_history_finished_at ON crawl_history (finished_at)');
    await runner.query(`
      CREATE INDEX crawl_history_by_application ON crawl_history (application_id, id)`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
