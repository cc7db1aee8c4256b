import { embeddedPostgresUrl } from '@registrar/persistence/testing';
import { buildSamplePackage } from '@registrar/sample-courses';
import {
  signInToConsole,
  type StartedSystem,
  startStandaloneSystem,
} from '@registrar/standalone/testing';
import pg from 'pg';
import type { Samples } from './views.ts';

/** Courses beside the one of `npm start`: the GUID and the title of each. */
const courses = {
  'fire-safety': 'Fire safety at work',
  evacuation: 'Evacuation of a building',
  lifting: 'Lifting and carrying',
} as const;

const learnerCount = 30;

/** Of the license, of which `learnersOfLicense` are taken. */
const seats = 12;
const learnersOfLicense = 9;

const learner = (place: number) => `learner-${String(place).padStart(2, '0')}@example.com`;

/** An installation with sample data on every page of its console. */
export interface SampleInstallation {
  readonly consoleUrl: string;
  /** The header `Cookie` of an operator's session. */
  readonly cookie: string;
  /** What the addresses of pages name. */
  readonly samples: Samples;
}

/**
 * Starts the standalone form with sample data, and again, so that the console has read the history of a day.
 *
 * @param resources receives everything that must be disposed of
 */
export async function startSampleInstallation(
  resources: AsyncDisposableStack,
): Promise<SampleInstallation> {
  const settings = { NODE_ENV: 'production' };
  const first = resources.adopt(await startStandaloneSystem(settings), (each) => each.dispose());
  const samples = await createSamples(first);
  await first.interrupt();
  const system = resources.adopt(
    await startStandaloneSystem(settings, first.dataDirectory),
    async (each) => void (await each.interrupt()),
  );
  return { consoleUrl: system.consoleUrl, cookie: await signInToConsole(system), samples };
}

/** Creates courses, registrations and a license as clients of the API do, and results as crawls do. */
async function createSamples({ quickstart, dataDirectory }: StartedSystem): Promise<Samples> {
  const { base_url, realm_guid, realm_secret_key } = quickstart;
  const post = async (path: string, fields: Readonly<Record<string, string>>, file?: Buffer) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ realm_guid, realm_secret_key, ...fields })) {
      body.set(name, value);
    }
    if (file) body.set('file', new Blob([new Uint8Array(file)]), 'course.zip');
    const response = await fetch(`${base_url}/${path}.json`, { method: 'POST', body });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const zip = await buildSamplePackage('fire-safety');
  for (const [course_guid, title] of Object.entries(courses)) {
    await post('course', { course_guid, title }, zip);
  }
  const guids = [quickstart.course_guid, ...Object.keys(courses)];
  for (let place = 1; place <= learnerCount; place += 1) {
    const course_guid = guids[place % guids.length] ?? '';
    await post('registration', { course_guid, learner_id: learner(place) });
  }
  const name = 'Spring courses';
  const license_data = { 'fire-safety': { seats_available: seats } };
  const invitation = await post('invitation', {
    name,
    license: 't',
    course_guids: JSON.stringify(['fire-safety']),
    custom: JSON.stringify({ license: true, license_data }),
  });
  const members = Array.from({ length: learnersOfLicense }, (_, place) => learner(place + 1));
  await post('invitation/add_learners', { name, learners: JSON.stringify(members), nodelay: 't' });
  await post('api_key', {});
  await post('api_key', { user_email: learner(1) });
  const database = new pg.Client({ connectionString: await embeddedPostgresUrl(dataDirectory) });
  await database.connect();
  try {
    await database.query(results, [report]);
    await database.query(history);
    await database.query(parkedEvents);
    const { rows } = await database.query<{ application: number; registration: string }>(named);
    return {
      realm: realm_guid,
      course: 'fire-safety',
      invitation: Number(invitation['id']),
      ...rows[0]!,
    };
  } finally {
    await database.end();
  }
}

/** A report as the course provider returns it. */
const report = `<?xml version="1.0"?><rsp stat="ok"><registrationreport format="full">
  <complete>complete</complete><success>passed</success><totaltime>754</totaltime><score>87</score>
  <activity id="course"><title>Fire safety at work</title><complete>complete</complete><success>passed</success>
    <children>
      <activity id="alarm"><title>When the alarm sounds</title><complete>complete</complete>
        <success>passed</success><time>0000:04:10.00</time>
        <runtime><location>page 6</location><exit>suspend</exit></runtime><children/></activity>
      <activity id="quiz"><title>Quiz</title><complete>complete</complete><success>passed</success>
        <score>87</score><time>0000:08:24.00</time><children/></activity>
    </children>
  </activity></registrationreport></rsp>`;

/** Five of six registrations were launched, in the last two days; $1 is the report of each. */
const results = `
  UPDATE enrolment.registrations SET
    complete = CASE id % 6 WHEN 4 THEN 'incomplete' ELSE 'complete' END,
    success = CASE id % 6 WHEN 4 THEN 'unknown' WHEN 3 THEN 'failed' ELSE 'succeeded' END,
    score = CASE id % 6 WHEN 4 THEN NULL WHEN 3 THEN 20 + id ELSE 100 - id % 9 * 3 END,
    attempts = 1, totaltime = 240 + id * 37, full_result = $1,
    created_at = now() - id * interval '47 minutes',
    launched_at = now() - id * interval '41 minutes',
    last_crawled_at = now() - id * interval '40 minutes',
    updated_at = now() - id * interval '40 minutes',
    -- Newer than any crawl of the run.
    result_sequence = 1000000000000
  WHERE id % 6 <> 5`;

/** The samples of the console's last day: a row for each five minutes. */
const history = `
  INSERT INTO console.samples
  SELECT at, jsonb_build_object(
    'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'requestsPerSecond', round((9 + 7 * sin(n / 44.0) + random())::numeric, 2),
    'failuresPerSecond', CASE WHEN n BETWEEN 120 AND 126 THEN 0.4 ELSE 0 END,
    'p95Ms', round((34 + 11 * sin(n / 44.0) + 6 * random())::numeric, 1),
    'outboxWaiting', CASE WHEN n BETWEEN 120 AND 126 THEN n - 110 ELSE n % 3 END,
    'outboxOldestSeconds', CASE WHEN n BETWEEN 120 AND 126 THEN 4 ELSE 0 END,
    'parkedEvents', CASE WHEN n < 126 THEN 0 ELSE 1 END)
  FROM generate_series(0, 287) AS n,
    LATERAL (SELECT date_bin('5 minutes', now(), 'epoch') - (288 - n) * interval '5 minutes' AS at) AS point
  ON CONFLICT DO NOTHING`;

/** An event that enrolment could not apply. */
const parkedEvents = `
  INSERT INTO enrolment.parked_events (message_id, event, content, attempts, reason)
  VALUES (gen_random_uuid()::text, 'catalog.course-changed',
    convert_to(json_build_object('messageId', gen_random_uuid(), 'name', 'catalog.course-changed', 'payload',
      json_build_object('courseId', 4, 'applicationId', 1, 'courseGuid', 'lifting', 'title', 'Lifting and carrying',
        'deleted', false, 'version', 7, 'keywords', json_build_array()),
      'requestId', 'cr4wl-7')::text, 'UTF8'),
    5, 'canceling statement due to statement timeout')`;

const named = `
  SELECT provider_application_id::integer AS application, registration_guid AS registration
  FROM enrolment.registrations WHERE course_guid = 'fire-safety' AND score > 80 ORDER BY id LIMIT 1`;
