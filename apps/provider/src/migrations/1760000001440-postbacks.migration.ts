import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Registrations can have a URL to which changes of their result are posted. */
export class Postbacks1760000001440 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE postback_targets (
        registration    bigint PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
        url             text NOT NULL,
        auth_type       text NOT NULL,
        user_name       text NOT NULL,
        sealed_password text NOT NULL,
        results_format  text NOT NULL
      );

      -- What is to be posted: at most one row for each registration, since the record is read when
      -- it is sent.
      CREATE TABLE postbacks (
        registration   bigint PRIMARY KEY REFERENCES postback_targets ON DELETE CASCADE,
        application_id integer NOT NULL REFERENCES applications,
        -- Another one with each change of the result, so that the delivery of an older result does
        -- not remove the row.
        change_id      uuid NOT NULL DEFAULT gen_random_uuid(),
        due_at         timestamptz(3) NOT NULL,
        -- Deliveries of this change that have failed.
        failures       integer NOT NULL DEFAULT 0,
        -- Until then, the replica that claimed the row sends it.
        leased_until   timestamptz(3)
      );
      CREATE INDEX postbacks_by_due ON postbacks (application_id, due_at);
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
