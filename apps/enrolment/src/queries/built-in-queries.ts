/** A query of the scope `bright`, which every realm has (docs/queries.md). */
export interface BuiltInQuery {
  readonly name: string;
  readonly sql: string;
  /** The values of parameters that a request does not give. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Active, and not deleted at the provider. */
const current = 'active AND NOT deleted';

/** The title of the course of a group `AS r`. */
const title = `(
    SELECT c.title FROM courses AS c
    WHERE c.course_provider_id = r.course_provider_id AND c.course_guid = r.course_guid
    ORDER BY c.deleted, c.course_id DESC
    LIMIT 1
  )`;

/**
 * The columns of a completion matrix, for `registrations AS r`. Templates of existing clients read
 * them by position (docs/queries.md).
 */
const matrixColumns = `
  coalesce(r.course_title, r.course_guid) AS course_title, r.complete, r.success, r.score,
  r.provider_completed_at AS completed_at`;

/** The latest current registration of each learner for each course whose GUID has the prefix. */
const latestRegistrations = `(
    SELECT DISTINCT ON (lower(learner_id), course_provider_id, course_guid) *
    FROM registrations
    WHERE ${current}
    ORDER BY lower(learner_id), course_provider_id, course_guid, created_at DESC, registration_guid
  )`;

/** The order of a completion matrix. */
const matrixOrder = 'lower(r.learner_id), 2, r.created_at, r.registration_guid';

export const builtInQueries: readonly BuiltInQuery[] = [
  {
    name: 'completion_by_course',
    sql: `
SELECT course_guid, ${title} AS course_title,
  count(*) AS registrations,
  count(DISTINCT lower(learner_id)) AS learners,
  count(*) FILTER (WHERE complete = 'complete') AS completed,
  round(avg((complete = 'complete')::integer), 4) AS completion_rate,
  count(*) FILTER (WHERE success = 'succeeded') AS succeeded,
  count(*) FILTER (WHERE success = 'failed') AS failed,
  round(avg(score)::numeric, 2) AS average_score
FROM registrations AS r
WHERE ${current}
GROUP BY course_provider_id, course_guid
ORDER BY course_guid, course_provider_id`,
  },
  {
    name: 'progress_by_learner',
    sql: `
SELECT lower(learner_id) AS learner_id,
  count(*) AS registrations,
  count(*) FILTER (WHERE complete = 'complete') AS completed,
  count(*) FILTER (WHERE complete <> 'complete' AND launched_at IS NOT NULL) AS begun,
  count(*) FILTER (WHERE complete <> 'complete' AND launched_at IS NULL) AS not_begun,
  round(avg(score)::numeric, 2) AS average_score,
  sum(totaltime) AS totaltime,
  max(greatest(launched_at, provider_accessed_at)) AS last_active_at
FROM registrations
WHERE ${current}
GROUP BY lower(learner_id)
ORDER BY learner_id`,
  },
  {
    name: 'registrations_by_day',
    sql: `
SELECT created_at::date AS day,
  count(*) AS registrations,
  count(DISTINCT lower(learner_id)) AS learners,
  count(*) FILTER (WHERE complete = 'complete') AS completed
FROM registrations
GROUP BY created_at::date
ORDER BY day`,
  },
  {
    name: 'license_seats',
    sql: `
SELECT invitation_name, course_guid, course_title, seats_free, seats_held,
  seats_free + seats_held AS seats
FROM license_seats
ORDER BY invitation_name, course_guid`,
  },
  {
    name: 'license_seat_holders',
    sql: `
SELECT g.invitation_name, g.course_guid, g.course_title, g.learner_id, g.registration_guid
FROM invitation_registrations AS g
JOIN invitations AS i USING (invitation_id)
WHERE i.license AND g.holds_seat
ORDER BY g.invitation_name, g.course_guid, g.learner_id`,
  },
  {
    name: 'learners_stuck',
    sql: `
SELECT learner_id, course_guid, course_title, registration_guid, launched_at, last_active_at,
  floor(extract(epoch FROM now() - last_active_at) / 86400)::integer AS idle_days
FROM (
  SELECT *, greatest(launched_at, provider_accessed_at) AS last_active_at
  FROM registrations
  WHERE ${current} AND launched_at IS NOT NULL AND complete <> 'complete'
) AS begun
WHERE last_active_at < now() - make_interval(days => :days)
ORDER BY last_active_at, registration_guid`,
    defaults: { days: '14' },
  },
  {
    name: 'crawl_health',
    sql: `
SELECT course_provider_id,
  count(*) AS registrations,
  count(*) FILTER (WHERE last_crawled_at IS NULL) AS never_crawled,
  count(*) FILTER (WHERE launched_at > coalesce(last_crawled_at, '-infinity')) AS behind_launch,
  count(*) FILTER (WHERE crawl_status = 'error') AS failing,
  sum(number_of_crawl_errors)::integer AS crawl_errors,
  count(*) FILTER (WHERE deleted) AS deleted,
  min(last_crawled_at) AS oldest_crawl_at,
  max(last_crawled_at) AS newest_crawl_at,
  min(synced_at) AS oldest_sync_at
FROM registrations
WHERE active
GROUP BY course_provider_id
ORDER BY course_provider_id`,
  },
  {
    name: 'score_distribution',
    sql: `
SELECT course_guid, ${title} AS course_title,
  score_from, score_from + 10 AS score_to, count(*) AS registrations
FROM (
  SELECT course_provider_id, course_guid, (least(floor(score / 10), 9) * 10)::integer AS score_from
  FROM registrations
  WHERE ${current} AND score IS NOT NULL
) AS r
GROUP BY course_provider_id, course_guid, score_from
ORDER BY course_guid, course_provider_id, score_from`,
  },
  {
    name: 'bright_completion_matrix',
    sql: `
SELECT r.learner_id, ${matrixColumns}
FROM ${latestRegistrations} AS r
WHERE starts_with(r.course_guid, :guid_prefix)
ORDER BY ${matrixOrder}`,
    defaults: { guid_prefix: '' },
  },
  {
    name: 'bright_completion_matrix_full',
    sql: `
SELECT r.learner_id, ${matrixColumns}
FROM registrations AS r
WHERE ${current} AND starts_with(r.course_guid, :guid_prefix)
ORDER BY ${matrixOrder}`,
    defaults: { guid_prefix: '' },
  },
  {
    name: 'bright_completion_by_tag',
    sql: `
SELECT r.learner_id, ${matrixColumns}
FROM ${latestRegistrations} AS r
WHERE starts_with(r.course_guid, :guid_prefix) AND EXISTS (
  SELECT FROM courses AS c, unnest(c.keywords) AS keyword
  WHERE c.course_provider_id = r.course_provider_id AND c.course_guid = r.course_guid
    AND NOT c.deleted
    AND lower(trim(keyword)) IN (
      SELECT lower(trim(tag)) FROM unnest(string_to_array(:provider_tags, ',')) AS tag
    )
)
ORDER BY ${matrixOrder}`,
    defaults: { guid_prefix: '' },
  },
  {
    // Existing clients encode the name of the invitation twice, so that a space arrives as a plus.
    name: 'invitation_completion_matrix',
    sql: `
SELECT l.learner_id, coalesce(g.course_title, g.course_guid) AS course_title,
  r.complete, r.success, r.score, r.provider_completed_at AS completed_at
FROM invitation_learners AS l
LEFT JOIN invitation_registrations AS g
  ON g.invitation_id = l.invitation_id AND lower(g.learner_id) = lower(l.learner_id)
LEFT JOIN registrations AS r
  ON r.registration_guid = g.registration_guid AND r.active AND NOT r.deleted
WHERE l.invitation_name IN (:invitation_name, replace(:invitation_name, '+', ' '))
ORDER BY lower(l.learner_id), 2, r.registration_guid`,
  },
  {
    name: 'getLicenseKeysForUser',
    sql: `
SELECT i.name AS license_key, i.custom ->> 'order_id' AS order_id,
  i.custom ->> 'initiating_user' AS purchaser,
  string_agg(coalesce(s.course_title, s.course_guid), ', ' ORDER BY s.course_title, s.course_guid)
    AS course_titles,
  i.created_at,
  coalesce(sum(s.seats_free), 0)::integer AS seats_available,
  coalesce(sum(s.seats_held), 0)::integer AS seats_used
FROM invitations AS i
LEFT JOIN license_seats AS s USING (invitation_id)
WHERE i.license AND (
  :email = ''
  OR lower(i.custom ->> 'initiating_user') = lower(:email)
  OR EXISTS (
    SELECT FROM invitation_learners AS l
    WHERE l.invitation_id = i.invitation_id AND lower(l.learner_id) = lower(:email)
  )
)
GROUP BY i.invitation_id, i.name, order_id, purchaser, i.created_at
ORDER BY i.created_at, i.name`,
    defaults: { email: '' },
  },
  {
    name: 'registrations_by_course_for_realm',
    sql: `
SELECT coalesce(${title}, r.course_guid) AS title,
  count(*) AS num_registrations, r.course_guid
FROM registrations AS r
WHERE ${current}
GROUP BY r.course_provider_id, r.course_guid
ORDER BY title, r.course_guid, r.course_provider_id`,
  },
];

/** Returns the defaults of the parameters of a built-in query. */
export const builtInDefaults = (name: string): Readonly<Record<string, string>> =>
  builtInQueries.find((query) => query.name === name)?.defaults ?? {};
