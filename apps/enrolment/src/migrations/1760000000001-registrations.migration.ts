import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Registrations. The three sequences are those of the newest result, deletion and failure that a
 * crawl reported (libs/contracts, crawler); 0 means never. Columns that depend on which of them is
 * newest are generated, so that their values do not depend on the order of the crawls' events.
 */
export class Registrations1760000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE registrations (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        realm_id integer NOT NULL,
        provider_application_id integer NOT NULL,
        registration_guid text NOT NULL,
        course_guid text NOT NULL,
        learner_id text NOT NULL, -- as it was given
        user_id integer, -- null for registrations that were found at the provider
        active boolean NOT NULL DEFAULT true,
        custom json,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        launched_at timestamptz,

        -- pending: not yet confirmed by the provider; refused: rejected by it; ready: it has it
        provider_state text NOT NULL CHECK (provider_state IN ('pending', 'refused', 'ready')),
        -- until then a create may be at work on a row that is not ready; then it is reconciled
        settle_after timestamptz,
        idempotency_key text,

        attempts integer NOT NULL DEFAULT 0,
        complete text NOT NULL DEFAULT 'unknown',
        success text NOT NULL DEFAULT 'unknown',
        score double precision,
        totaltime double precision NOT NULL DEFAULT 0,
        course_result text,
        full_result text,
        crawl_type text,
        provider_created_at timestamptz,
        provider_completed_at timestamptz,
        provider_accessed_at timestamptz,
        last_crawled_at timestamptz,
        number_of_crawl_errors integer NOT NULL DEFAULT 0,
        provider_errcode text,
        provider_error_message text,

        result_sequence bigint NOT NULL DEFAULT 0,
        deletion_sequence bigint NOT NULL DEFAULT 0,
        failure_sequence bigint NOT NULL DEFAULT 0,
        -- of a sweep that did not return it, until a crawl has requested it by name
        missed_sequence bigint,
        verify_after timestamptz NOT NULL DEFAULT '-infinity',

        deleted integer GENERATED ALWAYS AS (
          CASE WHEN deletion_sequence > result_sequence THEN 1 END
        ) STORED,
        crawl_status text GENERATED ALWAYS AS (
          CASE
            WHEN failure_sequence > greatest(result_sequence, deletion_sequence) THEN 'error'
            WHEN greatest(result_sequence, deletion_sequence) > 0 THEN 'success'
          END
        ) STORED,
        crawl_error_msg text GENERATED ALWAYS AS (
          CASE
            WHEN failure_sequence > greatest(result_sequence, deletion_sequence)
            THEN provider_error_message
          END
        ) STORED,

        UNIQUE (provider_application_id, registration_guid),
        UNIQUE (provider_application_id, idempotency_key),
        CHECK ((provider_state = 'ready') = (settle_after IS NULL))
      )`);
    await runner.query(`
      CREATE INDEX registrations_by_learner
        ON registrations (lower(learner_id), provider_application_id, id)`);
    await runner.query(`
      CREATE INDEX registrations_by_course
        ON registrations (provider_application_id, course_guid, id)`);
    await runner.query(`
      CREATE INDEX registrations_by_application ON registrations (provider_application_id, id)`);
    await runner.query(`
      CREATE INDEX registrations_to_settle ON registrations (settle_after)
        WHERE provider_state <> 'ready'`);
    await runner.query(`
      CREATE INDEX registrations_to_verify ON registrations (verify_after)
        WHERE missed_sequence IS NOT NULL`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
