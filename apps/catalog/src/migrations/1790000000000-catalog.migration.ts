import { createTrigramExtension } from '@registrar/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tables of the catalog. */
export class Catalog1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query(courses);
    await runner.query(packages);
    await runner.query(templates);
    for (const table of versionedTables) await runner.query(noteChanges(table));
    await runner.query(noteCounts);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const courses = `
  -- Only new courses use up an id: an identity column would use one up for each crawled course.
  CREATE SEQUENCE course_ids;
  -- The primary key begins with the provider application, as partitions by it require.
  CREATE TABLE courses (
    id bigint NOT NULL,
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    provider_title text NOT NULL,
    given_title text, -- set by course create; takes precedence over the provider's
    title text NOT NULL GENERATED ALWAYS AS (coalesce(given_title, provider_title)) STORED,
    size bigint NOT NULL, -- bytes of the package; 0: the provider does not report them
    versions bigint NOT NULL,
    learning_standard text,
    metadata json NOT NULL,
    keywords text[], -- that other contexts have learned; null: before the first crawl
    warnings text[], -- of the import of this version; null: the provider has not said
    custom text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted boolean NOT NULL DEFAULT false,

    -- rises with every change that is published to other contexts
    version integer NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now(),

    -- of the newest crawl or sweep that found or missed the course (libs/contracts, crawler); 0: none
    sequence bigint NOT NULL,
    -- when a create last read the course at the provider
    confirmed_at timestamptz NOT NULL,

    PRIMARY KEY (provider_application_id, id),
    UNIQUE (provider_application_id, course_guid)
  );
  CREATE INDEX courses_by_application ON courses (provider_application_id, id) WHERE NOT deleted;
  -- For lists of several provider applications, which are in the order of ids.
  CREATE INDEX courses_by_id ON courses (id);
  -- For filters with regular expressions, on one or several of the three fields.
  CREATE INDEX courses_by_trigrams ON courses USING gin (
    course_guid public.gin_trgm_ops, title public.gin_trgm_ops, custom public.gin_trgm_ops
  ) WHERE NOT deleted;

  -- Copies of the numbers of registrations, which enrolment counts. They do not depend on rows of
  -- courses, because the two arrive in any order.
  CREATE TABLE registration_counts (
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    registrations bigint NOT NULL,
    version bigint NOT NULL, -- of the newest count that was applied
    PRIMARY KEY (provider_application_id, course_guid)
  );

  -- The last applied sweep of each provider application.
  CREATE TABLE sweeps (
    provider_application_id bigint PRIMARY KEY,
    sequence bigint NOT NULL
  );`;

const packages = `
  -- Course packages that are being uploaded. An upload id is unique within its realm.
  CREATE TABLE package_uploads (
    realm_id bigint NOT NULL,
    upload_id uuid NOT NULL,
    attempt_id uuid NOT NULL, -- the attempt that has sent piece 0 last
    application_id bigint, -- null: access to the whole realm
    size bigint NOT NULL, -- bytes of all pieces so far
    created_at timestamptz NOT NULL DEFAULT now(),
    active_at timestamptz NOT NULL DEFAULT now(), -- when it was last worked on
    -- How far the import has come, so that a repeated create does not start it again.
    imported_over integer, -- the course's version before, -1 for no course; null: not started
    import_job text, -- null until the provider has returned it
    PRIMARY KEY (realm_id, upload_id)
  );
  CREATE INDEX package_uploads_by_age ON package_uploads (created_at);

  CREATE TABLE package_pieces (
    realm_id bigint NOT NULL,
    upload_id uuid NOT NULL,
    index bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (realm_id, upload_id, index),
    FOREIGN KEY (realm_id, upload_id) REFERENCES package_uploads ON DELETE CASCADE
  );
  -- Packages are compressed already.
  ALTER TABLE package_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

  -- The title and custom text of course creates whose package is being imported. The create applies
  -- them, or the crawl that finds the course when the import outlasts the request.
  CREATE TABLE pending_creates (
    provider_application_id bigint NOT NULL,
    course_guid text NOT NULL,
    title text,
    custom text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (provider_application_id, course_guid)
  );
  CREATE INDEX pending_creates_by_age ON pending_creates (created_at);`;

const templates = `
  CREATE TABLE templates (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    realm_id bigint NOT NULL,
    name text NOT NULL,
    body text NOT NULL,
    markup text,
    mimetype text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (realm_id, name)
  );
  CREATE INDEX templates_by_realm ON templates (realm_id, id);`;

interface VersionedTable {
  readonly table: string;
  readonly changes: string;
  /** The column with the provider application or the realm whose version changes. */
  readonly owner: string;
  /** What records show of a row. */
  readonly shown: readonly string[];
}

/** What gateways keep responses of. */
const versionedTables: readonly VersionedTable[] = [
  {
    table: 'courses',
    changes: 'course_changes',
    owner: 'provider_application_id',
    shown: [
      'title',
      'given_title',
      'size',
      'versions',
      'metadata::text',
      'custom',
      'deleted',
      'updated_at',
    ],
  },
  {
    table: 'templates',
    changes: 'template_changes',
    owner: 'realm_id',
    shown: ['name', 'body', 'markup', 'mimetype', 'updated_at'],
  },
];

const columns = (row: string, names: readonly string[]) =>
  `(${names.map((name) => `${row}.${name}`).join(', ')})`;

/**
 * Notes the transactions that change the rows of an owner. Triggers do it, so that no statement can
 * omit it. A row for each transaction makes no writer wait for another, as a counter would.
 */
const noteChanges = ({ table, changes, owner, shown }: VersionedTable) => `
  CREATE TABLE ${changes} (
    ${owner} bigint NOT NULL,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (${owner}, transaction)
  );

  CREATE FUNCTION note_${changes}() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO ${changes} (${owner}) SELECT DISTINCT ${owner} FROM changed ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE FUNCTION note_${changes}_of_row() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO ${changes} (${owner}) VALUES (NEW.${owner}) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;

  CREATE TRIGGER note_inserts AFTER INSERT ON ${table}
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_${changes}();
  CREATE TRIGGER note_deletes AFTER DELETE ON ${table}
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_${changes}();
  -- Crawls update the rows of courses that did not change.
  CREATE TRIGGER note_updates AFTER UPDATE ON ${table}
    FOR EACH ROW
    WHEN (${columns('OLD', shown)} IS DISTINCT FROM ${columns('NEW', shown)})
    EXECUTE FUNCTION note_${changes}_of_row();`;

/** A number of registrations that changes is a change of the courses of its provider application. */
const noteCounts = `
  CREATE TRIGGER note_inserts AFTER INSERT ON registration_counts
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_course_changes();
  CREATE TRIGGER note_updates AFTER UPDATE ON registration_counts
    FOR EACH ROW WHEN (OLD.registrations <> NEW.registrations)
    EXECUTE FUNCTION note_course_changes_of_row();`;
