import { sampleNames, samplePackage } from '#libs/sample-courses';
import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';

/** A course with a title and custom text of its own, for filters. */
const marked = (on: Installation) =>
  on.once('marked course', async () => {
    const title = on.unique('Title');
    const custom = JSON.stringify({ mark: on.unique('mark'), level: 3 });
    return { course_guid: await on.importCourse('marked', { title, custom }), title, custom };
  });

/** A learner with two registrations in one course, and a key that is bound to the learner. */
const enrolled = (on: Installation) =>
  on.once('enrolled learner', async () => {
    const email = on.learner();
    const course_guid = await on.course();
    await on.register(course_guid, email);
    const latest = await on.register(course_guid, email);
    return { course_guid, latest, key: await on.userKey(email) };
  });

export const courseCases = [
  trial(
    'GET /course lists the courses of the access',
    ['api-v2: Course: index, GET /course', 'api-v2: Operation names, index'],
    async (on) => {
      const own = await on.course();
      const guids = valuesOf(await on.api.get('/course.json', on.realm), 'course_guid');
      for (const guid of [on.facts.course_guid, own]) {
        check(guids.includes(guid), `${guid} is not listed`);
      }
    },
  ),

  ...(['course_guid', 'title', 'custom', 'id'] as const).map((name) =>
    trial(`course index filters by ${name}`, [`api-v2: Course: index, ${name}`], async (on) => {
      const course = await marked(on);
      const value = name === 'id' ? course.course_guid : course[name];
      const found = await on.api.get('/course.json', { ...on.realm, [name]: value });
      checkEqual(valuesOf(found, 'course_guid'), [course.course_guid], found.request);
      const none = await on.api.get('/course.json', { ...on.realm, [name]: value.slice(0, -1) });
      checkEqual(recordsOf(none), [], none.request);
    }),
  ),

  trial(
    'the GUID is the id of a course, in index and update alike',
    ['api-v2: Course record, the GUID is the id'],
    async (on) => {
      const course_guid = await on.importCourse('by-guid');
      const filter = { ...on.realm, id: course_guid };
      onlyRecordOf(await on.api.get('/course.json', filter));
      const updated = await on.api.put(`/course/${course_guid}.json`, {
        ...on.realm,
        title: 'New',
      });
      checkEqual(recordOf(updated)['course_guid'], course_guid, 'course_guid');
    },
  ),

  trial(
    'include_registrations nests the user’s most recent registration',
    [
      'api-v2: Course: index, include_registrations',
      'api-v2: Course record, nested registrations',
      'decision 18',
    ],
    async (on) => {
      const { course_guid, latest, key } = await enrolled(on);
      const asked = { ...key, course_guid, include_registrations: 't' };
      const course = onlyRecordOf(await on.api.get('/course.json', asked));
      const nested = course['registrations'] as Record<string, unknown>;
      checkEqual(nested['registration_guid'], latest, 'the nested registration');
      for (const field of ['complete', 'success', 'score', 'learner_id', 'created_at']) {
        check(field in nested, `the nested registration has no ${field}`);
      }
      const xml = parseXml((await on.api.get('/course.xml', asked)).text).children[0];
      const element = xml?.children.find(({ name }) => name === 'registrations');
      checkEqual(element?.textOf('registration-guid'), latest, 'the nested element');
    },
  ),

  trial(
    'include_registrations has no effect for a key that is bound to nobody',
    ['api-v2: Course: index, include_registrations'],
    async (on) => {
      const { course_guid } = await enrolled(on);
      for (const access of [on.realm, await on.realmKey()]) {
        const asked = { ...access, course_guid, include_registrations: 't' };
        const course = onlyRecordOf(await on.api.get('/course.json', asked));
        check(Number.isInteger(course['registrations']), 'registrations is no count');
      }
    },
  ),

  trial(
    'course create imports a package, with title and custom text',
    ['decision 21', 'api-v2: Operation names, create'],
    async (on) => {
      const course_guid = on.unique('import');
      const texts = { title: 'An imported course', custom: '{"a":1}' };
      const parameters = { ...on.application, course_guid, ...texts };
      for (const sample of sampleNames) {
        const file = await samplePackage(sample);
        const answer = await on.api.postMultipart('/course.json', parameters, file);
        const { title, custom, course_guid: guid } = recordOf(answer, 201);
        checkEqual({ title, custom, guid }, { ...texts, guid: course_guid }, answer.request);
      }
      onlyRecordOf(await on.api.get('/course.json', { ...on.realm, course_guid }));
    },
  ),

  trial('course create makes an id up when none is given', ['decision 21'], async (on) => {
    const file = await samplePackage(sampleNames[0]);
    const title = on.unique('unnamed');
    const answer = await on.api.postMultipart('/course.json', { ...on.application, title }, file);
    const { course_guid } = recordOf(answer, 201);
    check(typeof course_guid === 'string' && course_guid !== '', 'course_guid is empty');
  }),

  ...(
    [
      ['POST', '/course.json'],
      ['GET', '/course/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path} registers a course that the provider already holds`,
      ['decision 21', 'api-v2: Operation names, gcreate and gupdate'],
      async (on) => {
        const course_guid = await on.importCourse('held');
        const custom = on.unique('custom');
        const query = { ...on.application, course_guid, custom };
        const answer = await on.api.send(method, path, { query });
        const record = recordOf(answer, 201);
        checkEqual([record['course_guid'], record['custom']], [course_guid, custom], path);
        const unknown = { ...query, course_guid: on.unique('unknown') };
        checkRefused(await on.api.send(method, path, { query: unknown }), 404);
        checkRefused(await on.api.send(method, path, { query: on.application }), 500);
      },
    ),
  ),

  trial(
    'course create refuses what is no package, and keeps nothing of it',
    ['decision 21'],
    async (on) => {
      const course_guid = on.unique('broken');
      const broken = new TextEncoder().encode('this is no zip file');
      const parameters = { ...on.application, course_guid };
      checkRefused(await on.api.postMultipart('/course.json', parameters, broken), 500);
      checkEqual(recordsOf(await on.api.get('/course.json', parameters)), [], 'the course index');
    },
  ),

  ...(
    [
      ['PUT', '/course/'],
      ['POST', '/course/'],
      ['GET', '/course/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path}:id sets title and custom text`,
      [
        'decision 21',
        'api-v2: Operation names, update',
        'api-v2: Operation names, gcreate and gupdate',
      ],
      async (on) => {
        const course_guid = await on.importCourse('updated');
        const texts = { title: on.unique('Title'), custom: '{"b":2}' };
        const update = (query: Record<string, string>, guid = course_guid) =>
          on.api.send(method, `${path}${guid}.json`, { query: { ...on.realm, ...query } });
        const answer = await update(texts);
        const { title, custom } = recordOf(answer);
        checkEqual({ title, custom }, texts, answer.request);
        recordOf(await update({ custom: '' }));
        const read = await on.api.get('/course.json', { ...on.realm, course_guid });
        const now = onlyRecordOf(read);
        checkEqual([now['title'], now['custom']], [texts.title, ''], 'what the index shows then');
        checkRefused(await update(texts, on.unique('unknown')), 404);
        checkRefused(await update({ size: '1' }), 500);
      },
    ),
  ),

  trial('course update is beyond a user’s key', ['decision 14'], async (on) => {
    const { key } = await enrolled(on);
    const course_guid = await on.importCourse('guarded');
    const answer = await on.api.put(`/course/${course_guid}.json`, { ...key, title: 'Mine' });
    checkRefused(answer, 401);
    checkStatus(await on.api.get('/course.json', key), 200);
  }),
];
