import {
  check,
  checkEqual,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  textOf,
} from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';
import {
  anything,
  fieldCases,
  flag,
  id,
  integer,
  nothing,
  number,
  oneOf,
  orNull,
  text,
  texts,
  timestamp,
} from './record-fields.ts';

const freshKey = (on: Installation) =>
  on.once('a key', async () => recordOf(await on.api.post('/api_key.json', on.realm), 201));

const oneCourse = (on: Installation) =>
  on.once('a course', async () => {
    const course_guid = await on.course();
    await on.register(course_guid);
    return onlyRecordOf(await on.api.get('/course.json', { ...on.realm, course_guid }));
  });

const created = (on: Installation) =>
  on.once('a created registration', async () => {
    const parameters = { ...on.realm, course_guid: await on.course(), learner_id: on.learner() };
    return recordOf(await on.api.post('/registration.json', parameters), 201);
  });

/** A registration that has been launched and crawled. */
const crawled = (on: Installation) =>
  on.once('a crawled registration', async () => {
    const guid = await on.register(await on.course());
    checkStatus(await on.api.get(`/registration/${guid}/launch_url.json`, on.realm), 200);
    const asked = { ...on.realm, registration_guid: guid, crawl: 't' };
    return onlyRecordOf(await on.api.get('/registration.json', asked));
  });

const newInvitation = async (on: Installation, more: Record<string, string>) => {
  const parameters = { ...on.realm, ...more, name: on.unique('record') };
  return recordOf(await on.api.post('/invitation.json', parameters), 201);
};
const publicInvitation = (on: Installation) =>
  on.once('a public invitation', () => newInvitation(on, {}));
const extendedInvitation = (on: Installation) =>
  on.once('an extended invitation', async () => {
    const template = { ...on.realm, name: on.unique('template'), body: 'Hello' };
    const { id: templateId } = recordOf(await on.api.post('/template.json', template), 201);
    const invitation_template_id = String(templateId);
    return newInvitation(on, { api_template: 'extended', invitation_template_id });
  });

const realmUser = (on: Installation) =>
  on.once('a realm user', async () => {
    const parameters = { ...on.realm, email: on.learner(), custom: '{"a":1}' };
    return recordOf(await on.api.post('/realm_user.json', parameters), 201);
  });

const invitation = {
  id,
  name: text,
  description: orNull(text),
  enabled: flag,
  license: flag,
  avoid_duplicate_registrations: flag,
  no_updates_allowed: flag,
  custom: orNull(text),
  course_guids: texts,
  learners: texts,
  realm_id: id,
};

/** The field tables of api-v2.md, row by row. */
export const recordCases = [
  ...fieldCases(
    'API key record',
    {
      id,
      access_token: text,
      token_type: orNull(text),
      created_at: timestamp,
      updated_at: timestamp,
      expires_at: orNull(timestamp),
      user_id: nothing,
      course_provider_id: nothing,
      realm_id: id,
    },
    freshKey,
  ),

  trial(
    'course_provider_id is set in a key made from a provider pair',
    ['api-v2: API key record, course_provider_id', 'api-v2: API key record, realm_id'],
    async (on) => {
      const key = recordOf(await on.api.post('/api_key.json', on.application), 201);
      check(id(key['course_provider_id']), 'course_provider_id is no integer');
    },
  ),

  trial(
    'user_id is set in a key bound to a user',
    ['api-v2: API key record, user_id'],
    async (on) => {
      const parameters = { ...on.realm, user_email: on.learner() };
      check(
        id(recordOf(await on.api.post('/api_key.json', parameters), 201)['user_id']),
        'user_id',
      );
    },
  ),

  ...fieldCases(
    'Course record',
    {
      id,
      course_guid: text,
      course_provider_id: id,
      title: text,
      size: integer,
      versions: integer,
      registrations: integer,
      created_at: timestamp,
      updated_at: timestamp,
      custom: orNull(text),
    },
    oneCourse,
  ),

  ...fieldCases(
    'Registration record',
    {
      id,
      registration_guid: text,
      course_guid: text,
      learner_id: text,
      attempts: integer,
      complete: oneOf('unknown', 'incomplete', 'complete'),
      success: oneOf('unknown', 'failed', 'succeeded'),
      score: orNull(number),
      totaltime: number,
      course_result: text,
      full_result: anything,
      crawl_type: text,
      crawl_status: oneOf('success'),
      crawl_error_msg: nothing,
      number_of_crawl_errors: integer,
      last_crawled_at: timestamp,
      launched_at: timestamp,
      provider_created_at: orNull(timestamp),
      provider_completed_at: nothing,
      provider_accessed_at: orNull(timestamp),
      provider_errcode: nothing,
      provider_error_message: nothing,
      deleted: nothing,
      custom: anything,
      hosted_app_id: id,
      hosted_course_id: id,
      created_at: timestamp,
      updated_at: timestamp,
    },
    crawled,
  ),

  trial(
    'course_result is an XML document of the provider’s results',
    ['api-v2: Registration record, course_result'],
    async (on) => {
      const document = parseXml(textOf(await crawled(on), 'course_result'));
      checkEqual([document.name, document.attributes['stat']], ['rsp', 'ok'], 'the root');
      const [report] = document.children;
      check(report?.name === 'registrationreport', 'there is no registrationreport');
      checkEqual(report.attributes['format'], 'course', 'its format');
      for (const name of ['complete', 'success', 'totaltime', 'score']) {
        check(report.textOf(name) !== undefined, `the report has no ${name}`);
      }
    },
  ),

  trial(
    'the create response names its references course_provider_id and course_id',
    ['api-v2: Registration record, references in the create response'],
    async (on) => {
      const record = await created(on);
      check(id(record['course_provider_id']) && id(record['course_id']), 'they are no integers');
      check(!('hosted_app_id' in record) && !('hosted_course_id' in record), 'other names too');
      const listed = await crawled(on);
      const references = [record['course_provider_id'], record['course_id']];
      checkEqual(
        references,
        [listed['hosted_app_id'], listed['hosted_course_id']],
        'the references',
      );
    },
  ),

  ...fieldCases(
    'Invitation record',
    { ...invitation, registration_guids: texts },
    publicInvitation,
  ),
  trial(
    'the extended invitation record has its template and timestamps, and no registrations',
    [
      'api-v2: Invitation record, invitation_template_id',
      'api-v2: Invitation record, created_at, updated_at',
      'api-v2: Invitation record, registration_guids',
      'decision 17',
      'decision 24',
    ],
    async (on) => {
      const record = await extendedInvitation(on);
      const more = ['invitation_template_id', 'created_at', 'updated_at'];
      const names = [...Object.keys(invitation), ...more];
      checkEqual(Object.keys(record).toSorted(), names.toSorted(), 'the fields');
      check(id(record['invitation_template_id']), 'invitation_template_id is no integer');
      check(isTimestamp(record['created_at']), 'created_at is no timestamp');
      check(isTimestamp(record['updated_at']), 'updated_at is no timestamp');
    },
  ),

  ...fieldCases(
    'Realm user record',
    {
      id,
      realm_id: id,
      realm_role_id: id,
      user_id: id,
      custom: orNull(text),
      created_at: timestamp,
      updated_at: timestamp,
    },
    realmUser,
    ['email'],
  ),
];
