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
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

/** Two courses whose titles and custom texts share a mark of their own. */
const pair = (on: Installation) =>
  on.once('pair of courses', async () => {
    const mark = on.unique('mark');
    const make = (letter: string) =>
      on.importCourse(`pair-${letter}`, {
        title: `${mark} ${letter} course`,
        custom: JSON.stringify({ mark, letter, level: letter === 'A' ? 1 : 2 }),
      });
    return { mark, a: await make('A'), b: await make('B') };
  });

/** The GUIDs that a course index with these filters finds. */
const found = async (on: Installation, filters: Parameters) =>
  valuesOf(await on.api.get('/course.json', { ...on.realm, ...filters }), 'course_guid').toSorted();

const tooMany = Array.from({ length: 9 }, (_, index) => [`title_re${index}`, 'a'] as const);

export const fieldSelectionCases = [
  trial(
    'fields limits the fields, with underscores or hyphens, in every format',
    ['api-v2: Field selection, fields', 'decision 17'],
    async (on) => {
      const filter = { ...on.realm, course_guid: await on.course() };
      for (const fields of ['course_guid,created_at', 'course-guid,created-at']) {
        const asked = { ...filter, fields };
        const names = Object.keys(onlyRecordOf(await on.api.get('/course.json', asked)));
        checkEqual(names.toSorted(), ['course_guid', 'created_at'], `fields=${fields}`);
        const [row = {}] = parseCsv((await on.api.get('/course.csv', asked)).text);
        checkEqual(Object.keys(row).toSorted(), ['course_guid', 'created_at'], 'the columns');
      }
      const asked = { ...filter, fields: 'sc-course-id,title' };
      const xml = parseXml((await on.api.get('/course.xml', asked)).text).children[0];
      const names = xml?.children.map(({ name }) => name).toSorted();
      checkEqual(names, ['sc-course-id', 'title'], 'the elements');
    },
  ),

  trial('fields works on single records too', ['decision 17'], async (on) => {
    const asked = { ...on.realm, fields: 'access_token,expires_at' };
    const key = recordOf(await on.api.post('/api_key.json', asked), 201);
    checkEqual(Object.keys(key).toSorted(), ['access_token', 'expires_at'], 'the fields');
  }),

  trial('an unknown field is refused', ['decision 17'], async (on) => {
    for (const fields of ['colour', 'id,colour', 'id,', 'registrations.colour']) {
      checkRefused(await on.api.get('/course.json', { ...on.realm, fields }), 500);
    }
  }),

  trial(
    'a nested field is named with a dot, and implies include_registrations',
    ['api-v2: Field selection, nested fields', 'decision 17'],
    async (on) => {
      const email = on.learner();
      const course_guid = await on.course();
      await on.register(course_guid, email);
      const key = await on.userKey(email);
      const asked = { ...key, course_guid, fields: 'title,registrations.complete' };
      const course = onlyRecordOf(await on.api.get('/course.json', asked));
      checkEqual(Object.keys(course).toSorted(), ['registrations', 'title'], 'the fields');
      checkEqual(course['registrations'], { complete: 'unknown' }, 'registrations');
    },
  ),

  ...(['template', 'api_template'] as const).map((parameter) =>
    trial(
      `${parameter} names a field set`,
      ['api-v2: Field selection, template', 'decision 17'],
      async (on) => {
        const id = await on.register(await on.course());
        const read = async (template: string) => {
          const asked = { ...on.realm, id, [parameter]: template };
          return Object.keys(onlyRecordOf(await on.api.get('/registration.json', asked)));
        };
        const minimum = await read('public_minimum');
        const expected = 'complete course_guid id learner_id registration_guid score success';
        checkEqual(minimum.toSorted().join(' '), expected, 'public_minimum');
        const standard = Object.keys(
          onlyRecordOf(await on.api.get('/registration.json', { ...on.realm, id })),
        );
        checkEqual(await read('public'), standard, 'public is the default');
        const extended = await read('extended');
        check(
          standard.every((name) => extended.includes(name)),
          'extended lacks a public field',
        );
      },
    ),
  ),

  trial('public_minimum of a course is its ids, GUID and title', ['decision 17'], async (on) => {
    const asked = { ...on.realm, course_guid: await on.course(), template: 'public_minimum' };
    const names = Object.keys(onlyRecordOf(await on.api.get('/course.json', asked)));
    for (const name of ['id', 'course_guid', 'title']) check(names.includes(name), `no ${name}`);
    check(!names.includes('custom') && !names.includes('size'), `also ${names.join(', ')}`);
  }),

  trial('fields wins over both templates', ['decision 17'], async (on) => {
    const templates = { template: 'public_minimum', api_template: 'extended' };
    const asked = { ...on.realm, course_guid: await on.course(), ...templates, fields: 'size' };
    const names = Object.keys(onlyRecordOf(await on.api.get('/course.json', asked)));
    checkEqual(names, ['size'], 'the fields');
  }),

  trial(
    'every filter of the course index has a form with an expression',
    ['api-v2: Field selection, expressions', 'api-v2: Course: index, _re', 'decision 16'],
    async (on) => {
      const { mark, a, b } = await pair(on);
      checkEqual(await found(on, { title_re: `${mark} [AB]` }), [a, b].toSorted(), 'title_re');
      checkEqual(await found(on, { custom_re: mark }), [a, b].toSorted(), 'custom_re');
      checkEqual(await found(on, { course_guid_re: `^${a}$` }), [a], 'course_guid_re');
      checkEqual(await found(on, { id_re: `^${b}$` }), [b], 'id_re');
    },
  ),

  trial('expressions are case-sensitive and not anchored', ['decision 16'], async (on) => {
    const { mark, a } = await pair(on);
    checkEqual(await found(on, { title_re: `${mark} A cours` }), [a], 'a part of the title');
    checkEqual(await found(on, { title_re: `${mark} a COURSE` }), [], 'in another case');
    checkEqual(await found(on, { title_re: `^${mark} A course$` }), [a], 'with anchors');
  }),

  trial('the dialect is PostgreSQL’s', ['decision 16'], async (on) => {
    const { mark, b } = await pair(on);
    checkEqual(
      await found(on, { title_re: `${mark} (?!A)[[:alpha:]] \\mcourse\\M` }),
      [b],
      'found',
    );
  }),

  trial(
    'several expressions on one field combine with AND',
    ['api-v2: Field selection, several expressions', 'decision 16'],
    async (on) => {
      const { mark, a } = await pair(on);
      const repeated = { title_re: [mark, ' A '] };
      checkEqual(await found(on, repeated), [a], 'the parameter repeated');
      checkEqual(await found(on, { title_re0: mark, title_re1: ' A ' }), [a], 'with a suffix');
      checkEqual(await found(on, { title_re: mark, title_re7: ' A ' }), [a], 'both ways');
      checkEqual(await found(on, { custom_re: [mark, 'no such text'] }), [], 'one matches nothing');
    },
  ),

  trial('filters on several fields combine with AND', ['decision 16'], async (on) => {
    const { mark, a, b } = await pair(on);
    checkEqual(await found(on, { title_re: mark, custom_re: '"letter":"A"' }), [a], 'two fields');
    checkEqual(await found(on, { title_re: `${mark} A`, course_guid: b }), [], 'none has both');
  }),

  trial(
    'custom is matched over its JSON text',
    ['api-v2: Field selection, expressions over JSON text'],
    async (on) => {
      const { mark, a, b } = await pair(on);
      const both = `"mark":"${mark}"`;
      checkEqual(await found(on, { custom_re: [both, '"level":1'] }), [a], 'with punctuation');
      checkEqual(
        await found(on, { custom_re: [both, '"level":[12]}'] }),
        [a, b].toSorted(),
        'to its end',
      );
      checkEqual(await found(on, { custom_re: [both, 'level=1'] }), [], 'without');
    },
  ),

  trial(
    'every filter of the registration index has a form with an expression',
    ['api-v2: Registration: index, _re', 'decision 16'],
    async (on) => {
      const course_guid = await on.course();
      const learner = on.learner();
      const guid = await on.register(course_guid, learner);
      const own = { learner_id_re: `^${learner.split('@')[0]}@` };
      for (const filter of [
        own,
        { ...own, course_guid_re: `^${course_guid}$` },
        { registration_guid_re: `^${guid}$` },
        { id_re: guid.slice(1) },
        { learner_id_re0: learner, learner_id_re1: '@example' },
      ]) {
        const answer = await on.api.get('/registration.json', { ...on.realm, ...filter });
        checkEqual(valuesOf(answer, 'registration_guid'), [guid], answer.request);
      }
      const last = { ...on.realm, ...own, last_only: 't' };
      onlyRecordOf(await on.api.get('/registration.json', last));
    },
  ),

  trial(
    'control parameters have no such form',
    ['api-v2: Field selection, control parameters'],
    async (on) => {
      const flag = { ...on.realm, include_registrations_re: 't' };
      checkRefused(await on.api.get('/course.json', flag), 500);
      for (const name of ['last_only_re', 'crawl_re', 'refresh_if_launched_re', 'fields_re']) {
        checkRefused(await on.api.get('/registration.json', { ...on.realm, [name]: 't' }), 500);
      }
    },
  ),

  trial(
    'an expression that is invalid, too long or one too many is refused',
    ['decision 16', 'api-v2: Registration: index, 500', 'api-v2: Course: index, 500'],
    async (on) => {
      for (const path of ['/course.json', '/registration.json']) {
        for (const course_guid_re of ['(', '[a', 'a{2,1}', 'a'.repeat(257)]) {
          checkRefused(await on.api.get(path, { ...on.realm, course_guid_re }), 500);
        }
      }
      const many = Object.fromEntries(tooMany);
      checkRefused(await on.api.get('/course.json', { ...on.realm, ...many }), 500);
      const eight = Object.fromEntries(tooMany.slice(0, 8));
      checkStatus(await on.api.get('/course.json', { ...on.realm, ...eight, fields: 'id' }), 200);
      const long = { ...on.realm, title_re: 'a'.repeat(256) };
      checkEqual(recordsOf(await on.api.get('/course.json', long)), [], 'one of 256 characters');
    },
  ),
];
