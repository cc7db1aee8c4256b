import type pg from 'pg';

/** The provider application of the demo realm, and the realm. */
export interface Owner {
  readonly applicationId: number;
  readonly realmId: number;
}

/** A statement keeps its new rows for triggers in temporary files, which `temp_file_limit` bounds. */
const registrationsPerStatement = 100_000;

/** Returns the provider application of the demo realm, which holds one course. */
export async function demoOwner(database: pg.Client): Promise<Owner> {
  const { rows } = await database.query<Owner>(
    `SELECT min(id)::integer AS "applicationId", min(realm_id)::integer AS "realmId"
     FROM identity.provider_applications`,
  );
  return rows[0]!;
}

/** Returns a provider application with its realm. */
export async function ownerOf(database: pg.Client, applicationId: number): Promise<Owner> {
  const { rows } = await database.query<Owner>(
    `SELECT id::integer AS "applicationId", realm_id::integer AS "realmId"
     FROM identity.provider_applications WHERE id = $1`,
    [applicationId],
  );
  return rows[0]!;
}

/** Newer than any crawl of a run, so that no crawl finds what was inserted missing. */
const newestSequence = 1e12;

/** Inserts courses where a crawl would have: into the catalog, and into enrolment's copy. */
export async function insertCourses(
  database: pg.Client,
  { applicationId, count, prefix }: { applicationId: number; count: number; prefix: string },
): Promise<void> {
  await database.query(
    `WITH inserted AS (
       INSERT INTO catalog.courses (
         id, provider_application_id, course_guid, provider_title, size, versions,
         learning_standard, metadata, custom, sequence, confirmed_at
       )
       SELECT nextval('catalog.course_ids'), $1, $2 || n, 'Safety at work, part ' || n || ' of ' || md5(n::text),
              1000000 + n, 1, 'SCORM_12',
              json_build_object('title', 'Safety at work, part ' || n, 'description', repeat('What to do. ', 10)),
              CASE WHEN n % 2 = 0 THEN json_build_object('level', n % 5, 'code', md5('c' || n))::text END,
              $4, now()
       FROM generate_series(1, $3::integer) AS n
       RETURNING id, provider_application_id, course_guid, title
     ), counted AS (
       INSERT INTO catalog.registration_counts
       SELECT provider_application_id, course_guid, id % 100, 1 FROM inserted
     )
     INSERT INTO enrolment.courses (id, provider_application_id, course_guid, title, deleted, version)
     SELECT id, provider_application_id, course_guid, title, false, 1 FROM inserted`,
    [applicationId, prefix, count, newestSequence],
  );
  await database.query(
    'VACUUM ANALYZE catalog.courses, catalog.registration_counts, enrolment.courses',
  );
}

/**
 * Inserts registrations with results where a crawl would have: learner `learner-N@bench.example`, or another name, in
 * the courses `PREFIX1`, `PREFIX2` and so on, in turn.
 */
export async function insertRegistrations(
  database: pg.Client,
  {
    applicationId,
    realmId,
    count,
    prefix,
    courses,
    learners = 'learner',
  }: Owner & {
    count: number;
    prefix: string;
    courses: number;
    learners?: string;
  },
): Promise<void> {
  for (let first = 0; first < count; first += registrationsPerStatement) {
    const last = Math.min(count, first + registrationsPerStatement) - 1;
    await database.query(
      `INSERT INTO enrolment.registrations (
         realm_id, provider_application_id, registration_guid, course_guid, learner_id, provider_state,
         attempts, complete, success, score, totaltime, course_result, crawl_type,
         provider_created_at, last_crawled_at, result_sequence
       )
       SELECT $1, $2, gen_random_uuid(), $3 || (1 + n % $4::integer),
              $7 || '-' || (n / $4::integer) || '@bench.example', 'ready',
              1, 'complete', 'succeeded', n % 101, n % 5000,
              '<?xml version="1.0" encoding="UTF-8"?><rsp stat="ok"><registrationreport format="course" regid="' ||
                gen_random_uuid() || '" instanceid="0"><complete>complete</complete><success>passed</success>' ||
                '<totaltime>' || n % 5000 || '</totaltime><score>' || n % 101 ||
                '</score></registrationreport></rsp>',
              'course', now(), now(), $6
       FROM generate_series($5::integer, $8::integer) AS n`,
      [realmId, applicationId, prefix, courses, first, newestSequence, learners, last],
    );
  }
  await database.query('VACUUM ANALYZE enrolment.registrations');
}
