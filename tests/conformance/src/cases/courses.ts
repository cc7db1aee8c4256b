import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import { checkSoon } from '../check-soon.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { kebabCase, ruleOf } from '../contract.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';
import { addLearners, invite } from './invitation-calls.ts';

/** A course with a unique title and custom text, for filters. */
const marked = (target: Installation) =>
  target.once('marked course', async () => {
    const title = target.unique('Title');
    const custom = JSON.stringify({ mark: target.unique('mark'), level: 3 });
    return { course_guid: await target.importCourse('marked', { title, custom }), title, custom };
  });

/** A learner with two registrations for one course, and a key bound to the learner. */
const enrolled = (target: Installation) =>
  target.once('enrolled learner', async () => {
    const email = target.learner();
    const course_guid = await target.course();
    await target.register(course_guid, email);
    const latest = await target.register(course_guid, email);
    return { course_guid, latest, key: await target.userKey(email) };
  });

/** Checks the number of registrations of a course, in JSON and in XML. */
const checkCount = (target: Installation, course_guid: string, count: number) =>
  checkSoon(async () => {
    const filter = { ...target.realm, course_guid };
    const record = onlyRecordOf(await target.api.get('/course.json', filter));
    const xml = parseXml((await target.api.get('/course.xml', filter)).text);
    return (
      record['registrations'] === count &&
      xml.children[0]?.textOf('registration-count') === String(count)
    );
  }, `the number of registrations is not ${count}`);

export const courseCases = [
  conformanceCase(
    'the number of registrations of a course follows creates, deletes and removed learners',
    [
      'contract/courses#record-registrations',
      'contract/courses#registration-count',
      'contract/courses#registration-count-age',
      'contract/courses#xml-registration-count',
    ],
    async (target) => {
      const course_guid = await target.importCourse('counted');
      const before = onlyRecordOf(
        await target.api.get('/course.json', { ...target.realm, course_guid }),
      );
      checkEqual(before['registrations'], 0, 'registrations');
      const registration = await target.register(course_guid);
      await target.register(course_guid);
      const learner = target.learner();
      const { name } = await invite(target, [course_guid]);
      await addLearners(target, { name, learners: [learner] });
      await checkCount(target, course_guid, 3);
      const query = target.realm;
      checkStatus(
        await target.api.send('DELETE', `/registration/${registration}.json`, { query }),
        200,
      );
      await checkCount(target, course_guid, 2);
      await addLearners(target, { name, unlearners: [learner] });
      await checkCount(target, course_guid, 1);
      await addLearners(target, { name, learners: [learner] });
      await checkCount(target, course_guid, 2);
      const after = onlyRecordOf(
        await target.api.get('/course.json', { ...target.realm, course_guid }),
      );
      checkEqual(after['updated_at'], before['updated_at'], 'updated_at');
    },
  ),

  transportCase(
    'GET /course lists the courses in reach',
    ['contract/courses#index-route', 'contract/formats#operation-index'],
    async (target) => {
      const own = await target.course();
      const guids = valuesOf(await target.api.get('/course.json', target.realm), 'course_guid');
      for (const guid of [target.facts.course_guid, own]) {
        check(guids.includes(guid), `${guid} is not listed`);
      }
    },
  ),

  conformanceCase(
    'a course shows the warnings of its import when fields names them',
    ['contract/courses#warnings'],
    async (target) => {
      const course_guid = await target.course();
      const given = { ...target.realm, course_guid };
      const record = onlyRecordOf(await target.api.get('/course.json', given));
      check(!('warnings' in record), 'warnings are shown although fields does not name them');
      const named = { ...given, fields: 'course_guid,warnings' };
      const shown = await target.api.get('/course.json', named);
      const { warnings } = onlyRecordOf(shown);
      check(
        Array.isArray(warnings) && warnings.every((warning) => typeof warning === 'string'),
        'warnings is no list of texts in JSON',
      );
      const csv = await target.api.get('/course.csv', named);
      checkEqual(parseCsv(csv.text)[0]?.['warnings'], JSON.stringify(warnings), csv.request);
      const xml = await target.api.get('/course.xml', named);
      check(
        /<warnings type="array"(?:\/>|>(?:<warning>[^<]+<\/warning>)*<\/warnings>)/.test(xml.text),
        'warnings is no array in XML',
      );
      const single = await target.api.get(`/course/${course_guid}.json`, {
        ...target.realm,
        fields: 'warnings',
      });
      checkEqual(recordOf(single), { warnings }, single.request);
    },
  ),

  ...(['course_guid', 'title', 'custom', 'id'] as const).map((name) =>
    conformanceCase(
      `course index filters by ${name}`,
      [ruleOf('courses', `filter-${kebabCase(name)}`), 'contract/parameters#exact-filters'],
      async (target) => {
        const course = await marked(target);
        const value = name === 'id' ? course.course_guid : course[name];
        const found = await target.api.get('/course.json', { ...target.realm, [name]: value });
        checkEqual(valuesOf(found, 'course_guid'), [course.course_guid], found.request);
        const none = await target.api.get('/course.json', {
          ...target.realm,
          [name]: value.slice(0, -1),
        });
        checkEqual(recordsOf(none), [], none.request);
      },
    ),
  ),

  conformanceCase(
    'course_guid is the id of a course in index and update',
    ['contract/courses#guid'],
    async (target) => {
      const course_guid = await target.importCourse('by-guid');
      const filter = { ...target.realm, id: course_guid };
      onlyRecordOf(await target.api.get('/course.json', filter));
      const updated = await target.api.put(`/course/${course_guid}.json`, {
        ...target.realm,
        title: 'New',
      });
      checkEqual(recordOf(updated)['course_guid'], course_guid, 'course_guid');
    },
  ),

  conformanceCase(
    'include_registrations nests the most recent registration of the user',
    ['contract/courses#include-registrations', 'contract/courses#nested-registrations'],
    async (target) => {
      const { course_guid, latest, key } = await enrolled(target);
      const query = { ...key, course_guid, include_registrations: 't' };
      const course = onlyRecordOf(await target.api.get('/course.json', query));
      const nested = course['registrations'] as Record<string, unknown>;
      checkEqual(nested['registration_guid'], latest, 'the nested registration');
      for (const field of ['complete', 'success', 'score', 'learner_id', 'created_at']) {
        check(field in nested, `the nested registration has no ${field}`);
      }
      const xml = parseXml((await target.api.get('/course.xml', query)).text).children[0];
      const element = xml?.children.find(({ name }) => name === 'registrations');
      checkEqual(element?.textOf('registration-guid'), latest, 'the nested element');
    },
  ),

  conformanceCase(
    'include_registrations nests the field set that api_template names',
    ['contract/courses#nested-field-set'],
    async (target) => {
      const { course_guid, latest, key } = await enrolled(target);
      const query = { ...key, course_guid, include_registrations: '1' };
      const nestedFields = async (api_template: string) => {
        const response = await target.api.get('/course.json', { ...query, api_template });
        const nested = onlyRecordOf(response)['registrations'] as Record<string, unknown>;
        checkEqual(nested['registration_guid'], latest, `the registration of ${api_template}`);
        return Object.keys(nested);
      };
      const minimum = await nestedFields('public_minimum');
      check(minimum.includes('complete'), 'public_minimum has no completion');
      check(!minimum.includes('created_at'), 'public_minimum has created_at');
      check((await nestedFields('extended')).includes('created_at'), 'extended has no created_at');
    },
  ),

  conformanceCase(
    'include_registrations has no effect without a user-bound key',
    ['contract/courses#include-registrations'],
    async (target) => {
      const { course_guid } = await enrolled(target);
      for (const access of [target.realm, await target.realmKey()]) {
        const query = { ...access, course_guid, include_registrations: 't' };
        const course = onlyRecordOf(await target.api.get('/course.json', query));
        check(Number.isInteger(course['registrations']), 'registrations is no count');
      }
    },
  ),

  conformanceCase(
    'nested fields of registrations have no effect without a user-bound key',
    ['contract/courses#nested-field-without-user', 'contract/courses#include-registrations'],
    async (target) => {
      const { course_guid } = await enrolled(target);
      const nested = 'registrations.complete,registrations.registration-guid';
      const accesses = [
        target.realm,
        target.application,
        await target.realmKey(),
        await target.applicationKey(),
      ];
      for (const access of accesses) {
        for (const more of [{}, { include_registrations: 't' }]) {
          const filter = { ...access, ...more, course_guid };
          const { api } = target;
          const list = (format: string, fields: string) =>
            api.get(`/course.${format}`, { ...filter, fields });
          const fields = `course_guid,${nested}`;
          checkEqual(onlyRecordOf(await list('json', fields)), { course_guid }, 'index');
          const query = { ...access, ...more, fields };
          const shown = await api.get(`/course/${course_guid}.json`, query);
          checkEqual(recordOf(shown), { course_guid }, 'show');
          const [row = {}] = parseCsv((await list('csv', fields)).text);
          checkEqual(Object.keys(row), ['course_guid'], 'columns');
          const xml = parseXml((await list('xml', fields)).text).children[0];
          checkEqual(
            xml?.children.map(({ name }) => name),
            ['sc-course-id'],
            'elements',
          );
          checkEqual(onlyRecordOf(await list('json', nested)), {}, 'nested fields alone');
          const count = onlyRecordOf(await list('json', `registrations,${nested}`));
          check(Number.isInteger(count['registrations']), 'registrations is no count');
          checkError(await list('json', 'registrations.color'), 500);
        }
      }
    },
  ),

  transportCase(
    'POST /course imports a package with title and custom text',
    [
      'contract/courses#create-routes',
      'contract/courses#create-file',
      'contract/courses#create-course-guid',
      'contract/courses#create-title',
      'contract/courses#create-custom',
      'contract/courses#create-version',
      'contract/formats#operation-create',
    ],
    async (target) => {
      const course_guid = target.unique('import');
      const texts = { title: 'An imported course', custom: '{"a":1}' };
      const parameters = { ...target.application, course_guid, ...texts };
      for (const sample of sampleCourseNames) {
        const file = await buildSamplePackage(sample);
        const response = await target.api.postMultipart('/course.json', parameters, file);
        const { title, custom, course_guid: guid } = recordOf(response, 201);
        checkEqual({ title, custom, guid }, { ...texts, guid: course_guid }, response.request);
      }
      onlyRecordOf(await target.api.get('/course.json', { ...target.realm, course_guid }));
    },
  ),

  conformanceCase(
    'POST /course generates a course_guid when none is given',
    ['contract/courses#create-generated-guid'],
    async (target) => {
      const file = await buildSamplePackage(sampleCourseNames[0]);
      const title = target.unique('unnamed');
      const response = await target.api.postMultipart(
        '/course.json',
        { ...target.application, title },
        file,
      );
      const { course_guid } = recordOf(response, 201);
      check(typeof course_guid === 'string' && course_guid !== '', 'course_guid is empty');
    },
  ),

  ...(
    [
      ['POST', '/course.json'],
      ['GET', '/course/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path} registers a course that the provider holds`,
      [
        'contract/courses#create-routes',
        'contract/courses#create-course-guid',
        'contract/courses#create-404',
        'contract/courses#create-500',
        'contract/formats#operation-aliases',
      ],
      async (target) => {
        const course_guid = await target.importCourse('held');
        const custom = target.unique('custom');
        const query = { ...target.application, course_guid, custom };
        const response = await target.api.send(method, path, { query });
        const record = recordOf(response, 201);
        checkEqual([record['course_guid'], record['custom']], [course_guid, custom], path);
        const unknown = { ...query, course_guid: target.unique('unknown') };
        checkError(await target.api.send(method, path, { query: unknown }), 404);
        checkError(await target.api.send(method, path, { query: target.application }), 500);
      },
    ),
  ),

  conformanceCase(
    'a course or registration of the GUID gcreate is updated and deleted under its path',
    ['contract/formats#named-as-operation'],
    async (target) => {
      for (const path of ['/course/gcreate.json', '/registration/gcreate.json']) {
        for (const method of ['PUT', 'POST', 'DELETE'] as const) {
          const query = { ...target.realm, custom: '{}' };
          const response = await target.api.send(method, path, { query });
          check(response.status !== 405, `${method} ${path} is refused`);
          checkEqual(response.headers.get('allow'), null, 'Allow');
        }
      }
    },
  ),

  transportCase(
    'POST /course returns 500 for an unreadable package, and creates no course',
    ['contract/courses#create-500'],
    async (target) => {
      const course_guid = target.unique('broken');
      const broken = new TextEncoder().encode('this is no zip file');
      const parameters = { ...target.application, course_guid };
      checkError(await target.api.postMultipart('/course.json', parameters, broken), 500);
      checkEqual(
        recordsOf(await target.api.get('/course.json', parameters)),
        [],
        'the course index',
      );
    },
  ),

  ...(
    [
      ['PUT', '/course/'],
      ['POST', '/course/'],
      ['GET', '/course/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path}:id sets title and custom text`,
      [
        'contract/courses#update-routes',
        'contract/courses#update-fields',
        'contract/courses#update-404',
        'contract/formats#operation-update',
        'contract/formats#operation-aliases',
      ],
      async (target) => {
        const course_guid = await target.importCourse('updated');
        const texts = { title: target.unique('Title'), custom: '{"b":2}' };
        const update = (query: Record<string, string>, guid = course_guid) =>
          target.api.send(method, `${path}${guid}.json`, { query: { ...target.realm, ...query } });
        const response = await update(texts);
        const { title, custom } = recordOf(response);
        checkEqual({ title, custom }, texts, response.request);
        recordOf(await update({ custom: '' }));
        const read = await target.api.get('/course.json', { ...target.realm, course_guid });
        const now = onlyRecordOf(read);
        checkEqual(
          [now['title'], now['custom']],
          [texts.title, ''],
          'title and custom in the index',
        );
        checkError(await update(texts, target.unique('unknown')), 404);
        checkError(await update({ size: '1' }), 500);
      },
    ),
  ),

  conformanceCase(
    'course update returns 401 for a user-bound key',
    ['contract/access#user-key-courses', 'contract/access#reach-user'],
    async (target) => {
      const { key } = await enrolled(target);
      const course_guid = await target.importCourse('guarded');
      const response = await target.api.put(`/course/${course_guid}.json`, {
        ...key,
        title: 'Mine',
      });
      checkError(response, 401);
      checkStatus(await target.api.get('/course.json', key), 200);
    },
  ),

  conformanceCase(
    'registrations counts the registrations of the user of a user-bound key',
    ['contract/courses#user-key-count'],
    async (target) => {
      const course_guid = await target.importCourse('counted');
      const email = target.learner();
      await target.register(course_guid, email);
      await target.register(course_guid);
      const key = await target.userKey(email);
      const course = onlyRecordOf(await target.api.get('/course.json', { ...key, course_guid }));
      checkEqual(course['registrations'], 1, 'registrations');
    },
  ),

  conformanceCase(
    'course_provider_id selects the provider application of a new course',
    ['contract/courses#create-course-provider-id'],
    async (target) => {
      const course_guid = await target.importCourse('selected');
      const filter = { ...target.realm, course_guid };
      const listed = onlyRecordOf(await target.api.get('/course.json', filter));
      const course_provider_id = String(listed['course_provider_id']);
      const created = await target.api.post('/course.json', { ...filter, course_provider_id });
      checkEqual(
        recordOf(created, 201)['course_provider_id'],
        listed['course_provider_id'],
        'course_provider_id',
      );
      const unknown = { ...filter, course_provider_id: '2147483647' };
      checkError(await target.api.post('/course.json', unknown), 401);
    },
  ),
];
