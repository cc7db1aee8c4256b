import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Invitations. A transaction that changes the learners or seats of an invitation locks its row, and
 * then registrations in the order of their ids. Learners are compared in lower case.
 */
export class Invitations1760000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invitations (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        realm_id integer NOT NULL,
        name text NOT NULL,
        description text,
        enabled boolean NOT NULL,
        license boolean NOT NULL,
        avoid_duplicate_registrations boolean NOT NULL,
        no_updates_allowed boolean NOT NULL,
        custom text, -- as it was given; its seats are outdated
        invitation_template_id integer,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (realm_id, name)
      )`);
    await runner.query(`
      CREATE TABLE invitation_courses (
        invitation_id integer NOT NULL REFERENCES invitations,
        place integer NOT NULL,
        provider_application_id integer NOT NULL,
        course_guid text NOT NULL,
        PRIMARY KEY (invitation_id, course_guid)
      )`);
    await runner.query(`
      CREATE TABLE invitation_seats (
        invitation_id integer NOT NULL REFERENCES invitations,
        course_guid text NOT NULL,
        free integer NOT NULL CHECK (free >= 0),
        PRIMARY KEY (invitation_id, course_guid)
      )`);
    await runner.query(`
      CREATE TABLE invitation_learners (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        invitation_id integer NOT NULL REFERENCES invitations,
        learner_id text NOT NULL, -- as it was given
        user_id integer NOT NULL
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX invitation_learners_by_address
        ON invitation_learners (invitation_id, lower(learner_id))`);
    // The registrations of a learner through the invitation. Rows outlast the learner's removal, so
    // that a learner who is added again gets the same registration and, if it was launched, its seat.
    await runner.query(`
      CREATE TABLE invitation_registrations (
        invitation_id integer NOT NULL REFERENCES invitations,
        learner_key text NOT NULL, -- the address in lower case
        course_guid text NOT NULL,
        registration_id integer NOT NULL REFERENCES registrations,
        holds_seat boolean NOT NULL,
        PRIMARY KEY (invitation_id, learner_key, course_guid)
      )`);
    await runner.query(`
      CREATE INDEX invitation_registrations_by_registration
        ON invitation_registrations (registration_id)`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
