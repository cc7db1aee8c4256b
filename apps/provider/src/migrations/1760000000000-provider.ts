import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Provider1760000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE applications (
        id                 integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        app_id             text NOT NULL UNIQUE,
        name               text NOT NULL,
        secret_hash        bytea NOT NULL,
        registration_limit integer,
        created_at         timestamptz(3) NOT NULL DEFAULT now()
      );

      -- Keys that all replicas share, made by the first one that needs them.
      CREATE TABLE signing_keys (
        purpose text PRIMARY KEY,
        key     bytea NOT NULL
      );

      CREATE TABLE courses (
        id             integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        application_id integer NOT NULL REFERENCES applications,
        course_id      text NOT NULL,
        title          text NOT NULL,
        created_at     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        updated_at     timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (application_id, course_id)
      );
      CREATE INDEX courses_by_created ON courses (application_id, created_at, id);
      CREATE INDEX courses_by_updated ON courses (application_id, updated_at, id);

      CREATE TABLE course_versions (
        id         integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        course     integer NOT NULL REFERENCES courses ON DELETE CASCADE,
        version    integer NOT NULL,
        title      text NOT NULL,
        -- Bytes of the uploaded package.
        size       bigint NOT NULL,
        -- What the manifest says: packages/course-structure.ts.
        structure  jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        UNIQUE (course, version)
      );

      CREATE TABLE package_files (
        id             bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        course_version integer NOT NULL REFERENCES course_versions ON DELETE CASCADE,
        path           text NOT NULL,
        size           integer NOT NULL,
        UNIQUE (course_version, path)
      );

      -- A file's content in pieces of one size, so that no process holds a whole video.
      CREATE TABLE package_pieces (
        file  bigint NOT NULL REFERENCES package_files ON DELETE CASCADE,
        index integer NOT NULL,
        bytes bytea NOT NULL,
        PRIMARY KEY (file, index)
      );
      -- Most content is compressed already: stored as it is, it is read faster.
      ALTER TABLE package_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

      CREATE TABLE import_jobs (
        id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        application_id integer NOT NULL REFERENCES applications,
        course_id      text NOT NULL,
        status         text NOT NULL DEFAULT 'RUNNING' CHECK (status IN ('RUNNING', 'COMPLETE', 'ERROR')),
        message        text NOT NULL,
        created_at     timestamptz(3) NOT NULL DEFAULT now(),
        -- When the process that has the upload last said that it works on it.
        seen_at        timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX import_jobs_by_created ON import_jobs (created_at);

      CREATE TABLE registrations (
        id              integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        application_id  integer NOT NULL REFERENCES applications,
        registration_id text NOT NULL,
        course          integer NOT NULL REFERENCES courses ON DELETE CASCADE,
        course_version  integer NOT NULL REFERENCES course_versions ON DELETE CASCADE,
        learner_id      text NOT NULL,
        email           text,
        first_name      text NOT NULL,
        last_name       text NOT NULL,
        completion      text NOT NULL DEFAULT 'UNKNOWN',
        success         text NOT NULL DEFAULT 'UNKNOWN',
        score           double precision,
        progress        double precision,
        total_seconds   double precision NOT NULL DEFAULT 0,
        created_at      timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        updated_at      timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        first_access_at timestamptz(3),
        last_access_at  timestamptz(3),
        completed_at    timestamptz(3),
        UNIQUE (application_id, registration_id)
      );
      CREATE INDEX registrations_by_created ON registrations (application_id, created_at, id);
      CREATE INDEX registrations_by_updated ON registrations (application_id, updated_at, id);
      CREATE INDEX registrations_by_learner ON registrations (application_id, learner_id);
      CREATE INDEX registrations_by_course ON registrations (course);
      CREATE INDEX registrations_by_course_version ON registrations (course_version);

      -- One opening of a course in a browser.
      CREATE TABLE launches (
        id                integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        registration      integer NOT NULL REFERENCES registrations ON DELETE CASCADE,
        token_hash        bytea NOT NULL UNIQUE,
        tracking          boolean NOT NULL,
        redirect_url      text,
        launched_at       timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        expires_at        timestamptz(3) NOT NULL,
        exited_at         timestamptz(3),
        saved_at          timestamptz(3),
        seconds           double precision NOT NULL DEFAULT 0,
        completion        text NOT NULL DEFAULT 'UNKNOWN',
        success           text NOT NULL DEFAULT 'UNKNOWN',
        score             double precision
      );
      CREATE INDEX launches_by_registration ON launches (registration, id);

      -- How a learner stands in one launchable item of a course.
      CREATE TABLE sco_states (
        registration integer NOT NULL REFERENCES registrations ON DELETE CASCADE,
        activity_id  text NOT NULL,
        attempts     integer NOT NULL DEFAULT 1,
        -- The content has asked to be resumed, or was closed without ending its session.
        suspended    boolean NOT NULL DEFAULT true,
        completion   text NOT NULL DEFAULT 'UNKNOWN',
        success      text NOT NULL DEFAULT 'UNKNOWN',
        score        double precision,
        progress     double precision,
        seconds      double precision NOT NULL DEFAULT 0,
        runtime      jsonb NOT NULL DEFAULT '{}',
        -- How often it was opened; which opening reported last, and the number of that report.
        sittings     integer NOT NULL DEFAULT 1,
        sitting      integer NOT NULL DEFAULT 0,
        sequence     integer NOT NULL DEFAULT 0,
        opened_at    timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (registration, activity_id)
      );
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
