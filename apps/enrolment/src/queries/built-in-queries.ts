/** A query of the scope `bright`, which every realm has (docs/queries.md). */
export interface BuiltInQuery {
  readonly name: string;
  readonly sql: string;
}

/** Active, and not deleted at the provider. */
const current = 'active AND NOT deleted';

/** The title of the course of a group `AS r`. */
const title = `(
    SELECT c.title FROM courses AS c
    WHERE c.course_provider_id = r.course_provider_id AND c.course_guid = r.course_guid
    ORDER BY c.deleted, c.course_id DESC
    LIMIT 1
  ) AS course_title`;

export const builtInQueries: readonly BuiltInQuery[] = [
  {
    name: 'completion_by_course',
    sql: `
SELECT course_guid, ${title},
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
  max(last_crawled_at) AS newest_crawl_at
FROM registrations
WHERE active
GROUP BY course_provider_id
ORDER BY course_provider_id`,
  },
  {
    name: 'score_distribution',
    sql: `
SELECT course_guid, ${title},
  score_from, score_from + 10 AS score_to, count(*) AS registrations
FROM (
  SELECT course_provider_id, course_guid, (least(floor(score / 10), 9) * 10)::integer AS score_from
  FROM registrations
  WHERE ${current} AND score IS NOT NULL
) AS r
GROUP BY course_provider_id, course_guid, score_from
ORDER BY course_guid, course_provider_id, score_from`,
  },
];
