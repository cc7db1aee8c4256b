import { type QueryRunner } from 'typeorm';

/*
 * The views of stored queries (docs/queries.md). Their rows depend on three settings of the
 * transaction, which hold what its access reaches; without them the views are empty:
 *
 * - `registrar.applications`: provider applications, as an array
 * - `registrar.user`: the e-mail address of the user of a user-bound key, or empty
 * - `registrar.realm`: the realm, if the access reaches all of it
 */

const setting = (name: string) => `nullif(current_setting('registrar.${name}', true), '')`;

/** For a course that was deleted and created again, the title of the existing one. */
const courseTitle = (of: string) => `(
  SELECT c.title FROM courses AS c
  WHERE c.provider_application_id = ${of}.provider_application_id
    AND c.course_guid = ${of}.course_guid
  ORDER BY c.deleted, c.id DESC
  LIMIT 1
)`;

/** Creates the views on tables whose ids are of a type. */
export async function createReportViews(
  runner: QueryRunner,
  idType: 'integer' | 'bigint',
): Promise<void> {
  const applications = `${setting('applications')}::${idType}[]`;
  const realm = `${setting('realm')}::${idType}`;
  const user = setting('user');

  // Only one of the branches returns rows, and each has an index.
  await runner.query(`
    CREATE VIEW reached_registrations AS
    SELECT r.* FROM registrations AS r
    WHERE ${user} IS NULL AND r.provider_application_id = ANY (${applications})
    UNION ALL
    SELECT r.* FROM registrations AS r
    WHERE lower(r.learner_id) = lower(${user})
      AND r.provider_application_id = ANY (${applications})`);
  // A security barrier: the view's condition is evaluated before any expression of a query.
  await runner.query(`
    CREATE VIEW reports.registrations WITH (security_barrier) AS
    SELECT r.registration_guid, r.course_guid, ${courseTitle('r')} AS course_title,
      r.provider_application_id AS course_provider_id, r.learner_id, r.active,
      r.deleted IS NOT NULL AS deleted, r.attempts, r.complete, r.success, r.score, r.totaltime,
      r.created_at, r.updated_at, r.launched_at, r.provider_created_at, r.provider_accessed_at,
      r.provider_completed_at, r.last_crawled_at, r.crawl_status, r.crawl_error_msg,
      r.number_of_crawl_errors, r.provider_errcode, r.provider_error_message, r.custom
    FROM reached_registrations AS r
    WHERE r.provider_state NOT IN ('pending', 'refused')`);
  await runner.query(`
    CREATE VIEW reports.courses WITH (security_barrier) AS
    SELECT c.id AS course_id, c.course_guid, c.title,
      c.provider_application_id AS course_provider_id, c.deleted
    FROM courses AS c
    WHERE c.provider_application_id = ANY (${applications})`);

  await runner.query(`
    CREATE VIEW reports.invitations WITH (security_barrier) AS
    SELECT i.id AS invitation_id, i.name, i.description, i.enabled, i.license,
      i.avoid_duplicate_registrations, i.no_updates_allowed, i.created_at, i.updated_at
    FROM invitations AS i
    WHERE i.realm_id = ${realm}`);
  await runner.query(`
    CREATE VIEW reports.invitation_learners WITH (security_barrier) AS
    SELECT l.invitation_id, i.name AS invitation_name, l.learner_id
    FROM invitations AS i
    JOIN invitation_learners AS l ON l.invitation_id = i.id
    WHERE i.realm_id = ${realm}`);
  await runner.query(`
    CREATE VIEW reports.invitation_registrations WITH (security_barrier) AS
    SELECT g.invitation_id, i.name AS invitation_name, r.learner_id, g.course_guid,
      ${courseTitle('r')} AS course_title, r.registration_guid, g.holds_seat
    FROM invitations AS i
    JOIN invitation_registrations AS g ON g.invitation_id = i.id
    JOIN registrations AS r ON r.id = g.registration_id
    WHERE i.realm_id = ${realm}`);
  await runner.query(`
    CREATE VIEW reports.license_seats WITH (security_barrier) AS
    SELECT s.invitation_id, i.name AS invitation_name, s.course_guid,
      (
        SELECT ${courseTitle('ic')} FROM invitation_courses AS ic
        WHERE ic.invitation_id = s.invitation_id AND ic.course_guid = s.course_guid
      ) AS course_title,
      s.free AS seats_free,
      (
        SELECT count(*) FROM invitation_registrations AS g
        WHERE g.invitation_id = s.invitation_id AND g.course_guid = s.course_guid
          AND g.holds_seat
      ) AS seats_held
    FROM invitations AS i
    JOIN invitation_seats AS s ON s.invitation_id = i.id
    WHERE i.license AND i.realm_id = ${realm}`);
}

/** Adds the keywords of courses and the custom data of invitations to the views. */
export async function extendReportViews(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE VIEW reports.courses WITH (security_barrier) AS
    SELECT c.id AS course_id, c.course_guid, c.title,
      c.provider_application_id AS course_provider_id, c.deleted, c.keywords
    FROM courses AS c
    WHERE c.provider_application_id = ANY (${setting('applications')}::bigint[])`);
  // Null for other text, and for an escaped NUL, which is valid JSON but no text of PostgreSQL.
  await runner.query(`
    CREATE FUNCTION json_or_null(value text) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      PERFORM value::jsonb;
      RETURN value::json;
    EXCEPTION WHEN data_exception THEN
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE OR REPLACE VIEW reports.invitations WITH (security_barrier) AS
    SELECT i.id AS invitation_id, i.name, i.description, i.enabled, i.license,
      i.avoid_duplicate_registrations, i.no_updates_allowed, i.created_at, i.updated_at,
      json_or_null(i.custom) AS custom
    FROM invitations AS i
    WHERE i.realm_id = ${setting('realm')}::bigint`);
}

/** Shows the times of complete crawls for registrations that they did not write, and how fresh a result is. */
export async function showFreshness(runner: QueryRunner): Promise<void> {
  const crawledAt = (time: string) => `greatest(r.last_crawled_at, (
    SELECT a.${time} FROM crawled_applications AS a
    WHERE a.provider_application_id = r.provider_application_id
      AND a.${time} > r.last_crawled_at AND r.deleted IS NULL AND NOT r.missed
  ))`;
  await runner.query(`
    CREATE OR REPLACE VIEW reports.registrations WITH (security_barrier) AS
    SELECT r.registration_guid, r.course_guid, ${courseTitle('r')} AS course_title,
      r.provider_application_id AS course_provider_id, r.learner_id, r.active,
      r.deleted IS NOT NULL AS deleted, r.attempts, r.complete, r.success, r.score, r.totaltime,
      r.created_at, r.updated_at, r.launched_at, r.provider_created_at, r.provider_accessed_at,
      r.provider_completed_at, ${crawledAt('swept_at')} AS last_crawled_at, r.crawl_status,
      r.crawl_error_msg, r.number_of_crawl_errors, r.provider_errcode, r.provider_error_message,
      r.custom, ${crawledAt('synced_at')} AS synced_at
    FROM reached_registrations AS r
    WHERE r.provider_state NOT IN ('pending', 'refused')`);
}

/** Drops the views, so that a migration can alter the columns that they select. */
export async function dropReportViews(runner: QueryRunner): Promise<void> {
  await runner.query(`
    DROP VIEW reports.registrations, reports.courses, reports.invitations,
      reports.invitation_learners, reports.invitation_registrations, reports.license_seats`);
  await runner.query('DROP VIEW reached_registrations');
}
