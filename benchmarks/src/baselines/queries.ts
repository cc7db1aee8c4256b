import pg from 'pg';

/*
 * What the baselines read and write: the rows that the contexts would, in the same tables, in a statement of
 * their own, and the records of the same form. No access check, no deadline, no page. Each statement is
 * prepared once on each connection.
 */

const int8 = 20;

/** Opens as many connections as a replica of a context has. */
export function openPool(databaseUrl: string): pg.Pool {
  pg.types.setTypeParser(int8, Number);
  return new pg.Pool({ connectionString: databaseUrl, max: 10 });
}

type Row = Readonly<Record<string, unknown>>;

/** Prints the dates of a row as the API does. */
const toRecord = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? `${value.toISOString().slice(0, 19)}Z` : value,
    ]),
  );

/** Course index of one provider application. */
export async function listCourses(pool: pg.Pool, applicationId: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: 'list courses',
    text: `SELECT c.id, c.course_guid, c.provider_application_id AS course_provider_id, c.title, c.size,
                  c.versions, coalesce(n.registrations, 0) AS registrations, c.created_at,
                  c.updated_at, c.custom
           FROM catalog.courses AS c
             LEFT JOIN catalog.registration_counts AS n USING (provider_application_id, course_guid)
           WHERE c.provider_application_id = $1 AND NOT c.deleted
           ORDER BY c.id LIMIT 132`,
    values: [applicationId],
  });
  return rows.map(toRecord);
}

/** The columns of a registration record, of `registrations AS r`, up to the references. */
const registrationColumns = `
  r.id, r.registration_guid, r.course_guid, r.learner_id, r.attempts, r.complete, r.success,
  r.score, r.totaltime, r.course_result, r.full_result, r.crawl_type, r.crawl_status,
  r.crawl_error_msg, r.number_of_crawl_errors, r.last_crawled_at, r.launched_at,
  r.provider_created_at, r.provider_completed_at, r.provider_accessed_at, r.provider_errcode,
  r.provider_error_message, r.deleted, r.custom`;

/** The query of a list of registrations with all fields, for a condition on `registrations AS r`. */
export const registrationQuery = (condition: string): string => `
  SELECT ${registrationColumns}, r.provider_application_id AS hosted_app_id,
         (SELECT c.id FROM enrolment.courses AS c
          WHERE c.provider_application_id = r.provider_application_id
            AND c.course_guid = r.course_guid
          ORDER BY c.deleted, c.id DESC LIMIT 1) AS hosted_course_id,
         r.created_at, r.updated_at
  FROM enrolment.registrations AS r
  WHERE ${condition} AND r.provider_state NOT IN ('pending', 'refused') AND r.active
  ORDER BY r.id`;

/** Registration index by learner and course. */
export async function listRegistrations(
  pool: pg.Pool,
  { applicationId, courseGuid, learnerId }: RegistrationKey,
): Promise<Row[]> {
  const condition = `r.provider_application_id = $1 AND r.course_guid = $2
                     AND lower(r.learner_id) = lower($3)`;
  const { rows } = await pool.query<Row>({
    name: 'list registrations',
    text: `${registrationQuery(condition)} LIMIT 132`,
    values: [applicationId, courseGuid, learnerId],
  });
  return rows.map(toRecord);
}

/** Course index of one provider application, with the most recent registration of a learner in each course. */
export async function listCoursesOfLearner(
  pool: pg.Pool,
  { applicationId, learnerId }: Omit<RegistrationKey, 'courseGuid'>,
): Promise<Row[]> {
  const condition = `r.provider_application_id = $1 AND lower(r.learner_id) = lower($2)
                     AND r.deleted IS NULL`;
  const [courses, registrations] = await Promise.all([
    listCourses(pool, applicationId),
    pool.query<Row>({
      name: 'list registrations of a learner',
      text: registrationQuery(condition),
      values: [applicationId, learnerId],
    }),
  ]);
  const latest = new Map(registrations.rows.map((row) => [row['course_guid'], toRecord(row)]));
  return courses.map((course) => ({
    ...course,
    registrations: latest.get(course['course_guid']) ?? null,
  }));
}

export interface RegistrationKey {
  readonly applicationId: number;
  readonly courseGuid: string;
  readonly learnerId: string;
}

/** Inserts a registration in one statement, without a provider, and returns its record. */
export async function insertRegistration(
  pool: pg.Pool,
  { applicationId, courseGuid, learnerId }: RegistrationKey,
): Promise<Row> {
  const { rows } = await pool.query<Row>({
    name: 'insert a registration',
    text: `INSERT INTO enrolment.registrations AS r (
             realm_id, provider_application_id, registration_guid, course_guid, learner_id, provider_state
           ) VALUES ($1, $1, gen_random_uuid(), $2, $3, 'ready')
           RETURNING ${registrationColumns}, r.created_at, r.updated_at`,
    values: [applicationId, courseGuid, learnerId],
  });
  return toRecord(rows[0] ?? {});
}
