import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables of due work, rate limits and the crawl history. Rate limits and due
 * registrations have no foreign key to applications: a request or an event may name an application
 * that the crawler has not stored yet.
 */
export class Crawler1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(dueWork);
    await runner.query(rateLimits);
    await runner.query(crawlHistory);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const dueWork = `
  -- Orders the results of crawls.
  CREATE SEQUENCE crawl_sequence;

  -- The provider applications to crawl. Times are -infinity until they are first set.
  CREATE TABLE applications (
    id bigint PRIMARY KEY, -- the identity context's own id
    realm_id bigint NOT NULL,
    is_paused boolean NOT NULL DEFAULT false, -- its realm is disabled, or the operator has paused it
    is_paused_by_operator boolean NOT NULL DEFAULT false,

    -- set by the operator; null: the defaults
    calls_per_second integer, -- of clients and crawls
    rate_per_second integer, -- of crawls
    interval_seconds integer,
    crawl_type text,

    last_served_at timestamptz NOT NULL DEFAULT '-infinity', -- when a replica last claimed work of it
    -- the rate limit allows no call before
    serve_after timestamptz NOT NULL DEFAULT '-infinity',
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    -- rises with every claim; the holder of an older epoch cannot write
    epoch bigint NOT NULL DEFAULT 0
  );
  CREATE INDEX applications_by_turn ON applications (last_served_at, id);

  -- The schedule of one kind of crawl of a provider application, and the crawl in progress.
  CREATE TABLE due_crawls (
    application_id bigint NOT NULL REFERENCES applications,
    kind text NOT NULL CHECK (kind IN (
      'changed-registrations', 'all-registrations', 'courses', 'registrations-by-name'
    )),
    -- infinity for a kind with rows of its own in due_registrations, and for a crawl that is divided into
    -- rows of crawl_windows
    due_at timestamptz NOT NULL,
    last_served_at timestamptz NOT NULL DEFAULT '-infinity',
    interval_seconds integer NOT NULL,
    failures integer NOT NULL DEFAULT 0, -- consecutive ones
    -- how often it began anew, because a page failed again and again; 0 when the list has been read to its end
    restarts integer NOT NULL DEFAULT 0,
    -- the start of the last complete crawl of this kind, and the number of items that it read
    window_at timestamptz,
    last_items integer,
    -- the number of items that the last crawl has not read, though the provider counts them: window_at stays
    missing integer NOT NULL DEFAULT 0,

    -- the crawl in progress: its place in the provider's list, and what it has read
    more text, -- the provider's token for the next page
    sequence bigint, -- of its first page
    started_at timestamptz, -- when its first page was requested
    items integer NOT NULL DEFAULT 0, -- without those of windows in progress
    total integer, -- the provider's number of items at its start
    course_guids text[] NOT NULL DEFAULT '{}', -- that it has read

    PRIMARY KEY (application_id, kind)
  );

  -- The windows of time into which a long list is divided. Each has its own place in the list and its
  -- own lease, so that replicas crawl them side by side. A window is deleted when all its pages are crawled.
  CREATE TABLE crawl_windows (
    application_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    -- that of the divided crawl: windows of a crawl that began anew are left over
    sequence bigint NOT NULL,
    since timestamptz, -- null: the first window of a list without a beginning
    until timestamptz, -- null: the last window
    more text, -- the provider's token for the next page; null: before the first page
    items integer NOT NULL DEFAULT 0,
    total integer, -- the provider's number of items at its first page
    repetitions integer NOT NULL DEFAULT 0, -- how often it was read again, because items were missing
    failures integer NOT NULL DEFAULT 0, -- consecutive ones
    restarts integer NOT NULL DEFAULT 0, -- as in due_crawls
    due_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    epoch bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (application_id, id)
  );

  -- Registrations to crawl by their GUIDs.
  CREATE TABLE due_registrations (
    application_id bigint NOT NULL,
    registration_guid text NOT NULL,
    due_at timestamptz NOT NULL,
    step integer NOT NULL, -- the number of crawls since the last launch
    PRIMARY KEY (application_id, registration_guid)
  );
  CREATE INDEX due_registrations_by_time ON due_registrations (application_id, due_at);`;

const rateLimits = `
  -- The token buckets and the backoff of a provider application.
  CREATE TABLE rate_limits (
    application_id bigint PRIMARY KEY,
    tokens double precision NOT NULL, -- of all calls
    crawl_tokens double precision, -- of the calls of crawls; null: a full bucket
    refilled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    paused_until timestamptz NOT NULL DEFAULT now(),
    -- until then, clients that wait for a call go before crawls
    interactive_until timestamptz NOT NULL DEFAULT '-infinity',

    failures integer NOT NULL DEFAULT 0, -- consecutive ones
    rate double precision, -- calls per second to which failures have lowered it; null: as configured
    -- until then, the result of the only call after a failure is awaited
    probe_until timestamptz NOT NULL DEFAULT '-infinity',
    -- the last failure; null after a success
    fault text, -- its kind (libs/course-provider)
    fault_code text, -- the provider's code and message
    fault_message text
  );`;

const crawlHistory = `
  CREATE TABLE crawl_history (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    application_id bigint NOT NULL,
    kind text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('done', 'failed')),
    items integer NOT NULL, -- registrations or courses that the crawl read
    error text,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX crawl_history_finished_at ON crawl_history (finished_at);
  CREATE INDEX crawl_history_by_application ON crawl_history (application_id, id);`;
