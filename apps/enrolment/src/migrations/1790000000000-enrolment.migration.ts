import { createSchemaIfMissing, createTrigramExtension } from '@registrar/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createdOn, isCounted } from '../registrations/counted-registrations.ts';
import { reportViews } from './report-views.ts';

/**
 * Creates the tables of enrolment, and the views of stored queries in a schema of their own. A
 * transaction that changes the learners or seats of an invitation locks its row, and then
 * registrations in the order of their ids.
 */
export class Enrolment1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query(courses);
    await runner.query(registrations);
    await runner.query(registrationCounts);
    await runner.query(crawls);
    await runner.query(invitations);
    await runner.query(storedQueries);
    await createSchemaIfMissing(runner, 'reports');
    await runner.query(reportViews.sql);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const courses = `
  -- The copy of the catalog's courses: what enrolment needs of them.
  CREATE TABLE courses (
    id bigint NOT NULL, -- the catalog's own id
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    title text NOT NULL,
    keywords text[] NOT NULL DEFAULT '{}',
    deleted boolean NOT NULL,
    version bigint NOT NULL, -- of the event that was applied last
    PRIMARY KEY (provider_application_id, id)
  );
  -- Not unique: a course that was deleted and created again has two rows. The first one is that of a record.
  CREATE INDEX courses_by_guid ON courses (provider_application_id, course_guid, deleted, id DESC);`;

const registrations = `
  -- The primary key begins with the provider application, as partitions by it require.
  CREATE TABLE registrations (
    id bigint GENERATED ALWAYS AS IDENTITY,
    realm_id bigint NOT NULL,
    provider_application_id bigint NOT NULL,
    registration_guid text NOT NULL,
    course_guid text NOT NULL,
    learner_id text NOT NULL, -- as it was given
    user_id bigint, -- null for registrations that were found at the provider
    active boolean NOT NULL DEFAULT true,
    custom json,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),

    launched_at timestamptz,
    launch_open boolean, -- whether the provider said that a launch is still open
    launches_ended_at timestamptz, -- when they were ended at the provider
    end_launches_after timestamptz, -- when that is tried next

    -- pending: not yet confirmed by the provider; refused: rejected by it; ready: it has it;
    -- waiting: queued to be created there; local: never created there
    provider_state text NOT NULL CHECK (
      provider_state IN ('pending', 'refused', 'ready', 'waiting', 'local')
    ),
    -- of a pending or refused one: until then a create may be at work; then it is reconciled
    settle_after timestamptz,
    initialize_after timestamptz, -- of a waiting one: not claimed before that time
    initialize_attempts integer NOT NULL DEFAULT 0, -- attempts to create it at the provider that have started
    idempotency_key text,

    attempts integer NOT NULL DEFAULT 0,
    complete text NOT NULL DEFAULT 'unknown' CHECK (
      complete IN ('unknown', 'incomplete', 'complete')
    ),
    success text NOT NULL DEFAULT 'unknown' CHECK (success IN ('unknown', 'failed', 'succeeded')),
    score double precision,
    totaltime double precision NOT NULL DEFAULT 0, -- seconds
    course_result text,
    full_result text,
    result_digest bytea, -- of the newest result; a sweep publishes only results with another one
    crawl_type text,
    provider_created_at timestamptz,
    provider_completed_at timestamptz,
    provider_accessed_at timestamptz,
    last_crawled_at timestamptz,
    number_of_crawl_errors integer NOT NULL DEFAULT 0,
    provider_errcode text,
    provider_error_message text,

    -- Sequences of the newest result, deletion and failure that a crawl reported, and of the newest
    -- sweep that should have returned the registration (libs/contracts, crawler); 0: never. Columns
    -- that depend on which is newest are generated, so that their values do not depend on the order
    -- of the crawls' events.
    result_sequence bigint NOT NULL DEFAULT 0,
    deletion_sequence bigint NOT NULL DEFAULT 0,
    failure_sequence bigint NOT NULL DEFAULT 0,
    swept_sequence bigint NOT NULL DEFAULT 0,
    verify_after timestamptz NOT NULL DEFAULT '-infinity', -- when a missed one is verified
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
    -- the newest sweep did not return it, and no newer crawl requested it
    missed boolean GENERATED ALWAYS AS (
      swept_sequence > greatest(result_sequence, deletion_sequence, failure_sequence)
      AND deletion_sequence <= result_sequence
    ) STORED,

    PRIMARY KEY (provider_application_id, id),
    UNIQUE (provider_application_id, registration_guid),
    UNIQUE (provider_application_id, idempotency_key),
    CONSTRAINT registrations_settle_check CHECK (
      (provider_state IN ('pending', 'refused')) = (settle_after IS NOT NULL)
    ),
    CONSTRAINT registrations_initialize_check CHECK (
      (provider_state = 'waiting') = (initialize_after IS NOT NULL)
    )
  );
  -- For lists of several provider applications, which are in the order of ids.
  CREATE INDEX registrations_by_id ON registrations (id);
  CREATE INDEX registrations_by_learner
    ON registrations (lower(learner_id), provider_application_id, id);
  CREATE INDEX registrations_by_course ON registrations (provider_application_id, course_guid, id);
  -- Lists read each combination of complete and success in the order of one of these, so that a page costs as much
  -- whichever registrations match (contract/registrations#filter-complete, contract/registrations#sort).
  -- The id is an expression, so that PostgreSQL does not read the primary key in the order of ids, and with it all
  -- registrations of an application that has none with the result.
  CREATE INDEX registrations_by_result
    ON registrations (provider_application_id, complete, success, (id + 0));
  CREATE INDEX registrations_by_update
    ON registrations (provider_application_id, complete, success, updated_at, id);
  CREATE INDEX registrations_by_launch ON registrations (realm_id, launched_at)
    WHERE launched_at IS NOT NULL;
  -- The condition is not that of the statement that confirms a create, which would read all pending ones by it.
  CREATE INDEX registrations_to_settle ON registrations (settle_after)
    WHERE settle_after IS NOT NULL;
  CREATE INDEX registrations_to_initialize
    ON registrations (provider_application_id, initialize_after, id)
    WHERE provider_state = 'waiting' AND active;
  CREATE INDEX registrations_to_verify ON registrations (verify_after) WHERE missed;
  CREATE INDEX registrations_with_launches_to_end
    ON registrations (provider_application_id, launched_at)
    WHERE NOT active AND (launches_ended_at IS NULL OR launches_ended_at < launched_at);
  -- For regular expressions (contract/registrations#filter-expressions).
  CREATE INDEX registrations_learner_trigrams
    ON registrations USING gin (learner_id public.gin_trgm_ops);
  -- On an expression, because PostgreSQL would also use an index on the column for one GUID, and read all entries of a
  -- course to find the registration of a learner.
  CREATE INDEX registrations_course_trigrams
    ON registrations USING gin ((course_guid || '') public.gin_trgm_ops);

  -- Realms that were disabled at least once.
  CREATE TABLE realms (
    id bigint PRIMARY KEY, -- the identity context's own id
    version bigint NOT NULL, -- of the event that was applied last
    -- launches before this time are ended: infinity while the realm is disabled
    launches_end_before timestamptz NOT NULL
  );`;

const insertCountChanges = (sign: '' | '-') => `
    INSERT INTO registration_count_changes (provider_application_id, course_guid, created_on, change)
    SELECT provider_application_id, course_guid, ${createdOn('changed')} AS day, ${sign}count(*)
    FROM changed WHERE ${isCounted('changed')} GROUP BY provider_application_id, course_guid, day;
    RETURN NULL;`;

const registrationCounts = `
  -- The numbers of registrations of courses that are neither inactive nor deleted at the provider.
  CREATE TABLE registration_counts (
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    registrations bigint NOT NULL,
    version bigint NOT NULL, -- when it was counted: milliseconds since the epoch
    PRIMARY KEY (provider_application_id, course_guid)
  );

  -- The same numbers by the day on which the registrations were created; none where a course had none. The use of a
  -- course over time is read here: an index on created_at would cost each insert more than a column of its change does.
  CREATE TABLE registration_day_counts (
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    created_on date NOT NULL, -- UTC
    registrations bigint NOT NULL,
    PRIMARY KEY (provider_application_id, course_guid, created_on)
  );

  -- By how much a statement has changed a number. Triggers insert it, so that no statement can omit it. A row
  -- of its own for each statement makes no writer wait for another, as a counter would.
  CREATE TABLE registration_count_changes (
    provider_application_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    course_guid text NOT NULL,
    created_on date NOT NULL, -- of the registrations: UTC
    change bigint NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider_application_id, id)
  );
  CREATE FUNCTION count_inserted_registrations() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN ${insertCountChanges('')}
  END $$;
  CREATE FUNCTION count_removed_registrations() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN ${insertCountChanges('-')}
  END $$;
  CREATE FUNCTION count_changed_registration() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO registration_count_changes (provider_application_id, course_guid, created_on, change)
    VALUES (
      NEW.provider_application_id, NEW.course_guid, ${createdOn('NEW')},
      CASE WHEN ${isCounted('NEW')} THEN 1 ELSE -1 END
    );
    RETURN NULL;
  END $$;
  CREATE TRIGGER count_inserts AFTER INSERT ON registrations
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_registrations();
  CREATE TRIGGER count_deletes AFTER DELETE ON registrations
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION count_removed_registrations();
  -- Of each row, because most updates change nothing that counts.
  CREATE TRIGGER count_updates AFTER UPDATE ON registrations
    FOR EACH ROW WHEN (${isCounted('OLD')} <> ${isCounted('NEW')})
    EXECUTE FUNCTION count_changed_registration();`;

const crawls = `
  -- How fresh the unchanged results of a provider application are.
  CREATE TABLE crawled_applications (
    provider_application_id bigint PRIMARY KEY,
    swept_sequence bigint NOT NULL DEFAULT 0, -- of the newest complete sweep; 0: none
    swept_at timestamptz, -- when that sweep began
    synced_at timestamptz NOT NULL -- when the newest complete crawl began, of all or of the changed ones
  );

  -- The registrations that a page of a running sweep has found unchanged. Deleted when the sweep is complete.
  CREATE TABLE swept_pages (
    provider_application_id bigint NOT NULL,
    sequence bigint NOT NULL, -- of the page (libs/contracts, crawler)
    sweep bigint NOT NULL, -- the sequence of its first page
    registration_ids bigint[] NOT NULL,
    PRIMARY KEY (provider_application_id, sequence)
  );`;

const invitations = `
  CREATE TABLE invitations (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    realm_id bigint NOT NULL,
    name text NOT NULL,
    description text,
    enabled boolean NOT NULL,
    license boolean NOT NULL,
    avoid_duplicate_registrations boolean NOT NULL,
    no_updates_allowed boolean NOT NULL,
    custom text, -- as it was given; its seats are outdated
    invitation_template_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (realm_id, name)
  );
  CREATE INDEX invitations_by_realm ON invitations (realm_id, id);

  CREATE TABLE invitation_courses (
    invitation_id bigint NOT NULL REFERENCES invitations,
    place integer NOT NULL, -- the position in course_guids of the record
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    PRIMARY KEY (invitation_id, course_guid)
  );

  -- The free seats of a license (contract/invitations#seats).
  CREATE TABLE invitation_seats (
    invitation_id bigint NOT NULL REFERENCES invitations,
    course_guid text NOT NULL,
    free integer NOT NULL CHECK (free >= 0),
    PRIMARY KEY (invitation_id, course_guid)
  );

  -- The learners of an invitation are listed in the order of their ids. With a key of the id alone, PostgreSQL reads
  -- those of all invitations in this order.
  CREATE TABLE invitation_learners (
    id bigint GENERATED ALWAYS AS IDENTITY,
    invitation_id bigint NOT NULL REFERENCES invitations,
    learner_id text NOT NULL, -- as it was given
    user_id bigint NOT NULL,
    PRIMARY KEY (invitation_id, id)
  );
  CREATE UNIQUE INDEX invitation_learners_by_address
    ON invitation_learners (invitation_id, lower(learner_id));

  -- The registrations of a learner through the invitation. Rows outlast the learner's removal, so that
  -- a learner who is added again gets the same registration and, if it was launched, its seat
  -- (contract/invitations#restored-registration). Without
  -- a foreign key to registrations, whose primary key has the provider application: registrations of
  -- invitations are never deleted.
  CREATE TABLE invitation_registrations (
    invitation_id bigint NOT NULL REFERENCES invitations,
    learner_key text NOT NULL, -- the address in lower case
    course_guid text NOT NULL,
    registration_id bigint NOT NULL,
    holds_seat boolean NOT NULL,
    PRIMARY KEY (invitation_id, learner_key, course_guid)
  );
  CREATE INDEX invitation_registrations_by_registration
    ON invitation_registrations (registration_id);
  -- For the metric of taken seats, which counts them at every scrape.
  CREATE INDEX invitation_registrations_seats
    ON invitation_registrations (invitation_id) WHERE holds_seat;`;

const storedQueries = `
  CREATE TABLE stored_queries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    query_scope text NOT NULL CHECK (query_scope IN ('bright', 'realm', 'provider')),
    realm_id bigint, -- null for the built-in ones
    provider_application_id bigint,
    sql text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (name, query_scope, realm_id, provider_application_id),
    CHECK ((query_scope = 'bright') = (realm_id IS NULL)),
    CHECK ((query_scope = 'provider') = (provider_application_id IS NOT NULL))
  );

  -- Results are unlogged: after a crash of the server, a client runs its query again.
  CREATE UNLOGGED TABLE query_results (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    reach jsonb NOT NULL, -- of the scope that ran the query
    realm_id bigint NOT NULL,
    owner text, -- whose part of the realm's limits it uses; null for the realm pair
    row_count bigint NOT NULL DEFAULT 0,
    byte_count bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX query_results_by_realm ON query_results (realm_id);

  -- No foreign key: rows are deleted before their result, in batches.
  CREATE UNLOGGED TABLE query_result_rows (
    result_id uuid NOT NULL,
    position integer NOT NULL, -- from 1
    content json NOT NULL,
    PRIMARY KEY (result_id, position)
  );`;
