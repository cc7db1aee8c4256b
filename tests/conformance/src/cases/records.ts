import {
  check,
  checkEqual,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  recordsOf,
  textOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase } from '../conformance-case.ts';
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

const freshKey = (target: Installation) =>
  target.once('a key', async () =>
    recordOf(await target.api.post('/api_key.json', target.realm), 201),
  );

const oneCourse = (target: Installation) =>
  target.once('a course', async () => {
    const course_guid = await target.course();
    await target.register(course_guid);
    return onlyRecordOf(await target.api.get('/course.json', { ...target.realm, course_guid }));
  });

const created = (target: Installation) =>
  target.once('a created registration', async () => {
    const parameters = {
      ...target.realm,
      course_guid: await target.course(),
      learner_id: target.learner(),
    };
    return recordOf(await target.api.post('/registration.json', parameters), 201);
  });

/** A registration that has been launched and crawled. */
const crawled = (target: Installation) =>
  target.once('a crawled registration', async () => {
    const guid = await target.register(await target.course());
    checkStatus(await target.api.get(`/registration/${guid}/launch_url.json`, target.realm), 200);
    const query = { ...target.realm, registration_guid: guid, crawl: 't' };
    return onlyRecordOf(await target.api.get('/registration.json', query));
  });

const newInvitation = async (target: Installation, more: Record<string, string>) => {
  const parameters = { ...target.realm, ...more, name: target.unique('record') };
  return recordOf(await target.api.post('/invitation.json', parameters), 201);
};
const publicInvitation = (target: Installation) =>
  target.once('a public invitation', () => newInvitation(target, {}));
const extendedInvitation = (target: Installation) =>
  target.once('an extended invitation', async () => {
    const template = { ...target.realm, name: target.unique('template'), body: 'Hello' };
    const { id: templateId } = recordOf(await target.api.post('/template.json', template), 201);
    const invitation_template_id = String(templateId);
    return newInvitation(target, { api_template: 'extended', invitation_template_id });
  });

const realmUser = (target: Installation) =>
  target.once('a realm user', async () => {
    const parameters = { ...target.realm, email: target.learner(), custom: '{"a":1}' };
    return recordOf(await target.api.post('/realm_user.json', parameters), 201);
  });

const courseProvider = async (target: Installation) => {
  const listed = recordsOf(await target.api.get('/course_provider.json', target.realm));
  const own = listed.find((record) => record['sc_app_id'] === target.facts.sc_app_id);
  check(own, 'the provider application is not listed');
  return own;
};

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

/** The fields of each record, row by row of its table in docs/contract. */
export const recordCases = [
  ...fieldCases(
    'API key record',
    'api-keys',
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

  conformanceCase(
    'course_provider_id is set in a key made from a provider pair',
    ['contract/api-keys#record-course-provider-id'],
    async (target) => {
      const key = recordOf(await target.api.post('/api_key.json', target.application), 201);
      check(id(key['course_provider_id']), 'course_provider_id is no integer');
    },
  ),

  conformanceCase(
    'realm_id of a key made from a provider pair is the realm of the application',
    ['contract/api-keys#record-realm-id', 'contract/api-keys#realm-of-application'],
    async (target) => {
      const realmIdOf = async (pair: Parameters) =>
        recordOf(await target.api.post('/api_key.json', pair), 201)['realm_id'];
      const ofRealm = await realmIdOf(target.realm);
      check(id(ofRealm), 'realm_id is no integer');
      checkEqual(await realmIdOf(target.application), ofRealm, 'realm_id');
    },
  ),

  conformanceCase(
    'user_id is set in a user-bound key',
    ['contract/api-keys#record-user-id'],
    async (target) => {
      const parameters = { ...target.realm, user_email: target.learner() };
      check(
        id(recordOf(await target.api.post('/api_key.json', parameters), 201)['user_id']),
        'user_id is no integer',
      );
    },
  ),

  ...fieldCases(
    'Course record',
    'courses',
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
    'registrations',
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

  conformanceCase(
    'course_result is an XML document of the results',
    ['contract/registrations#record-course-result'],
    async (target) => {
      const document = parseXml(textOf(await crawled(target), 'course_result'));
      checkEqual([document.name, document.attributes['stat']], ['rsp', 'ok'], 'the root');
      const [report] = document.children;
      check(report?.name === 'registrationreport', 'there is no registrationreport');
      checkEqual(report.attributes['format'], 'course', 'its format');
      for (const name of ['complete', 'success', 'totaltime', 'score']) {
        check(report.textOf(name) !== undefined, `the report has no ${name}`);
      }
    },
  ),

  conformanceCase(
    'the create response names its references course_provider_id and course_id',
    ['contract/registrations#create-references'],
    async (target) => {
      const record = await created(target);
      check(
        id(record['course_provider_id']) && id(record['course_id']),
        'course_provider_id or course_id is no integer',
      );
      check(
        !('hosted_app_id' in record) && !('hosted_course_id' in record),
        'the response has hosted_app_id or hosted_course_id',
      );
      const listed = await crawled(target);
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
    'invitations',
    { ...invitation, registration_guids: texts },
    publicInvitation,
  ),
  conformanceCase(
    'the extended invitation record has its template and timestamps, and no registrations',
    [
      'contract/invitations#record-invitation-template-id',
      'contract/invitations#record-timestamps',
      'contract/invitations#record-registration-guids',
      'contract/invitations#create-invitation-template-id',
      'contract/parameters#template-extended',
    ],
    async (target) => {
      const record = await extendedInvitation(target);
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
    'realm-users',
    {
      id,
      realm_id: id,
      realm_role_id: id,
      user_id: id,
      custom: orNull(text),
      created_at: timestamp,
      updated_at: timestamp,
      email: text,
    },
    realmUser,
  ),

  ...fieldCases(
    'Course provider record',
    'course-providers',
    {
      id,
      name: text,
      sc_app_id: text,
      url: text,
      realm_id: id,
      created_at: timestamp,
      updated_at: timestamp,
    },
    courseProvider,
  ),
];
