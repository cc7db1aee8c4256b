import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  recordOf,
  recordsOf,
  textOf,
} from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { parseCsv, parseXml } from '../readers.ts';
import { addLearners, invite, registrationsOf } from './invitation-calls.ts';

/** One record by its path (contract/formats#operation-show). */
export const showCases = [
  transportCase(
    'GET /course/:id returns the record of the index in every format',
    ['contract/courses#show-route', 'contract/formats#operation-show'],
    async (target) => {
      const course_guid = await target.importCourse('show');
      const path = `/course/${course_guid}`;
      const [listed] = recordsOf(
        await target.api.get('/course.json', { ...target.realm, course_guid }),
      );
      const shown = recordOf(await target.api.get(`${path}.json`, target.realm));
      const { registrations: _, updated_at: __, ...fixed } = shown;
      for (const [field, value] of Object.entries(fixed)) {
        checkEqual(value, listed?.[field], field);
      }
      const fields = { ...target.realm, fields: 'course_guid,title' };
      checkEqual(
        Object.keys(recordOf(await target.api.get(`${path}.json`, fields))),
        ['course_guid', 'title'],
        'the fields',
      );
      const xml = parseXml((await target.api.get(`${path}.xml`, target.realm)).text);
      checkEqual([xml.name, xml.textOf('sc-course-id')], ['course', course_guid], 'XML');
      const [row] = parseCsv((await target.api.get(`${path}.csv`, target.realm)).text);
      checkEqual(row?.['course_guid'], course_guid, 'CSV');
    },
  ),

  conformanceCase(
    'GET /course/:id nests the registration of a user-bound key',
    ['contract/courses#show-include-registrations'],
    async (target) => {
      const learner = target.learner();
      const course = await target.course();
      const registration = await target.register(course, learner);
      const key = await target.userKey(learner);
      const path = `/course/${course}.json`;
      checkEqual(recordOf(await target.api.get(path, key))['registrations'], 1, 'registrations');
      const nested = recordOf(await target.api.get(path, { ...key, include_registrations: 't' }));
      const { registration_guid } = nested['registrations'] as Record<string, unknown>;
      checkEqual(registration_guid, registration, 'the nested registration');
    },
  ),

  transportCase(
    'GET /registration/:id returns the record of the index, crawled on request',
    ['contract/registrations#show-route', 'contract/registrations#show-crawl'],
    async (target) => {
      const id = await target.register(await target.course());
      const path = `/registration/${id}.json`;
      for (const flag of ['crawl', 'refresh_if_launched']) {
        const shown = recordOf(await target.api.get(path, { ...target.realm, [flag]: 't' }));
        checkEqual(shown['registration_guid'], id, 'registration_guid');
      }
      const crawled = recordOf(await target.api.get(path, { ...target.realm, crawl: 't' }));
      checkEqual(crawled['crawl_status'], 'success', 'crawl_status');
      const [listed] = recordsOf(
        await target.api.get('/registration.json', { ...target.realm, id }),
      );
      checkEqual(
        Object.keys(crawled).toSorted(),
        [...Object.keys(listed ?? {}), 'active'].toSorted(),
        'the fields',
      );
    },
  ),

  conformanceCase(
    'GET /registration/:id returns an inactive registration',
    ['contract/registrations#show-inactive'],
    async (target) => {
      const learner = target.learner();
      const { name } = await invite(target, [await target.course()]);
      checkStatus(await addLearners(target, { name, learners: [learner], nodelay: 't' }), 200);
      const [registration] = await registrationsOf(target, learner);
      const id = textOf(registration ?? {}, 'registration_guid');
      const active = async () =>
        recordOf(await target.api.get(`/registration/${id}.json`, target.realm))['active'];
      checkEqual(await active(), true, 'active');
      checkStatus(await addLearners(target, { name, unlearners: [learner] }), 200);
      checkEqual(await active(), false, 'active');
    },
  ),

  transportCase(
    'GET /invitation/:id returns the record of the index',
    ['contract/invitations#show-route', 'contract/formats#operation-show'],
    async (target) => {
      const { id } = await invite(target, [await target.course()]);
      const [listed] = recordsOf(await target.api.get('/invitation.json', { ...target.realm, id }));
      const shown = await target.api.get(`/invitation/${id}.json`, target.realm);
      checkEqual(recordOf(shown), listed, 'the record');
      const extended = { ...target.realm, api_template: 'extended' };
      const record = recordOf(await target.api.get(`/invitation/${id}.json`, extended));
      check('created_at' in record, 'the extended record has no created_at');
    },
  ),

  transportCase(
    'a record that does not exist or is out of reach returns 404, and no access 401',
    [
      'contract/courses#show-404',
      'contract/registrations#show-404',
      'contract/invitations#show-404',
      'contract/invitations#realm-access-only',
    ],
    async (target) => {
      const other = await target.register(await target.course());
      const key = await target.userKey(target.learner());
      for (const path of [
        '/course/unknown.json',
        '/registration/unknown.json',
        '/invitation/2147483647.json',
        '/invitation/unknown.json',
      ]) {
        checkError(await target.api.get(path, target.realm), 404);
        checkError(await target.api.get(path, {}), 401);
        checkError(await target.api.get(path, { ...target.realm, color: 'blue' }), 500);
      }
      checkError(await target.api.get(`/registration/${other}.json`, key), 404);
      checkError(await target.api.get('/invitation/1.json', target.application), 401);
    },
  ),
];
