import { type Sql, sql } from '@registrar/persistence';
import { reportRules } from '../access-rules.ts';

/*
 * The views of stored queries (docs/queries.md). Which rows they show is decided by access-rules.ts;
 * a change of those rules needs a migration that creates the views again.
 */

/** For a course that was deleted and created again, the title of the existing one. */
const courseTitle = (of: Sql) => sql`(
    SELECT c.title FROM courses AS c
    WHERE c.provider_application_id = ${of}.provider_application_id
      AND c.course_guid = ${of}.course_guid
    ORDER BY c.deleted, c.id DESC
    LIMIT 1
  )`;

/** The later one of a registration's own crawl and of a complete crawl that did not write it. */
const crawledAt = (time: Sql) => sql`greatest(r.last_crawled_at, (
    SELECT a.${time} FROM crawled_applications AS a
    WHERE a.provider_application_id = r.provider_application_id
      AND a.${time} > r.last_crawled_at AND r.deleted IS NULL AND NOT r.missed
  ))`;

/** Each view is a security barrier: its condition is evaluated before any expression of a query. */
export const reportViews = sql`
  -- Null for other text, and for an escaped NUL, which is valid JSON but no text of PostgreSQL.
  CREATE FUNCTION json_or_null(value text) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    PERFORM value::jsonb;
    RETURN value::json;
  EXCEPTION WHEN data_exception THEN
    RETURN NULL;
  END $$;

  -- Only one of the branches returns rows, and each has an index.
  CREATE VIEW reached_registrations AS
  SELECT r.* FROM registrations AS r WHERE ${reportRules.registrationsOfApplications}
  UNION ALL
  SELECT r.* FROM registrations AS r WHERE ${reportRules.registrationsOfUser};

  CREATE VIEW reports.registrations WITH (security_barrier) AS
  SELECT r.registration_guid, r.course_guid, ${courseTitle(sql`r`)} AS course_title,
    r.provider_application_id AS course_provider_id, r.learner_id, r.active,
    r.deleted IS NOT NULL AS deleted, r.attempts, r.complete, r.success, r.score, r.totaltime,
    r.created_at, r.updated_at, r.launched_at, r.provider_created_at, r.provider_accessed_at,
    r.provider_completed_at, ${crawledAt(sql`swept_at`)} AS last_crawled_at, r.crawl_status,
    r.crawl_error_msg, r.number_of_crawl_errors, r.provider_errcode, r.provider_error_message,
    r.custom, ${crawledAt(sql`synced_at`)} AS synced_at
  FROM reached_registrations AS r
  WHERE r.provider_state NOT IN ('pending', 'refused');

  CREATE VIEW reports.courses WITH (security_barrier) AS
  SELECT c.id AS course_id, c.course_guid, c.title,
    c.provider_application_id AS course_provider_id, c.deleted, c.keywords
  FROM courses AS c
  WHERE ${reportRules.courses};

  CREATE VIEW reports.invitations WITH (security_barrier) AS
  SELECT i.id AS invitation_id, i.name, i.description, i.enabled, i.license,
    i.avoid_duplicate_registrations, i.no_updates_allowed, i.created_at, i.updated_at,
    json_or_null(i.custom) AS custom
  FROM invitations AS i
  WHERE ${reportRules.invitations};

  CREATE VIEW reports.invitation_learners WITH (security_barrier) AS
  SELECT l.invitation_id, i.name AS invitation_name, l.learner_id
  FROM invitations AS i
  JOIN invitation_learners AS l ON l.invitation_id = i.id
  WHERE ${reportRules.invitations} AND ${reportRules.invitationLearners};

  CREATE VIEW reports.invitation_registrations WITH (security_barrier) AS
  SELECT g.invitation_id, i.name AS invitation_name, r.learner_id, g.course_guid,
    ${courseTitle(sql`r`)} AS course_title, r.registration_guid, g.holds_seat
  FROM invitations AS i
  JOIN invitation_registrations AS g ON g.invitation_id = i.id
  JOIN registrations AS r ON r.id = g.registration_id
  WHERE ${reportRules.invitations} AND ${reportRules.invitationRegistrations};

  CREATE VIEW reports.license_seats WITH (security_barrier) AS
  SELECT s.invitation_id, i.name AS invitation_name, s.course_guid,
    (
      SELECT ${courseTitle(sql`ic`)} FROM invitation_courses AS ic
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
  WHERE i.license AND ${reportRules.invitations};`;
