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
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

/** Two courses whose titles and custom texts contain a mark that no other course has. */
const pair = (target: Installation) =>
  target.once('pair of courses', async () => {
    const mark = target.unique('mark');
    const make = (letter: string) =>
      target.importCourse(`pair-${letter}`, {
        title: `${mark} ${letter} course`,
        custom: JSON.stringify({ mark, letter, level: letter === 'A' ? 1 : 2 }),
      });
    return { mark, a: await make('A'), b: await make('B') };
  });

/** The GUIDs that a course index with these filters returns. */
const found = async (target: Installation, filters: Parameters) =>
  valuesOf(
    await target.api.get('/course.json', { ...target.realm, ...filters }),
    'course_guid',
  ).toSorted();

const tooMany = Array.from({ length: 9 }, (_, index) => [`title_re${index}`, 'a'] as const);

export const fieldSelectionCases = [
  conformanceCase(
    'course_guid[] finds the courses and registrations of any of its values',
    ['contract/parameters#list-filters'],
    async (target) => {
      const { a, b } = await pair(target);
      const repeated = { 'course_guid[]': [a, b, 'none'] };
      checkEqual(await found(target, repeated), [a, b].toSorted(), 'courses found');
      const numbered = { 'course_guid[0]': a, 'course_guid[1]': b };
      checkEqual(await found(target, numbered), [a, b].toSorted(), 'courses found by numbers');
      checkEqual(await found(target, { ...numbered, course_guid: b }), [b], 'courses of both');
      const learner_id = target.learner();
      const id = await target.register(a, learner_id);
      await target.register(await target.course(), learner_id);
      const registrations = await target.api.get('/registration.json', {
        ...target.realm,
        learner_id,
        ...repeated,
      });
      checkEqual(valuesOf(registrations, 'registration_guid'), [id], 'registrations found');
    },
  ),

  conformanceCase(
    'fields limits the fields of a list in every format, with underscores or hyphens',
    ['contract/parameters#fields', 'contract/parameters#fields-names'],
    async (target) => {
      const filter = { ...target.realm, course_guid: await target.course() };
      for (const fields of ['course_guid,created_at', 'course-guid,created-at']) {
        const query = { ...filter, fields };
        const names = Object.keys(onlyRecordOf(await target.api.get('/course.json', query)));
        checkEqual(names.toSorted(), ['course_guid', 'created_at'], `fields=${fields}`);
        const [row = {}] = parseCsv((await target.api.get('/course.csv', query)).text);
        checkEqual(Object.keys(row).toSorted(), ['course_guid', 'created_at'], 'the columns');
      }
      const query = { ...filter, fields: 'sc-course-id,title' };
      const xml = parseXml((await target.api.get('/course.xml', query)).text).children[0];
      const names = xml?.children.map(({ name }) => name).toSorted();
      checkEqual(names, ['sc-course-id', 'title'], 'the elements');
    },
  ),

  conformanceCase(
    'fields limits the fields of a single record',
    ['contract/parameters#fields'],
    async (target) => {
      const query = { ...target.realm, fields: 'access_token,expires_at' };
      const key = recordOf(await target.api.post('/api_key.json', query), 201);
      checkEqual(Object.keys(key).toSorted(), ['access_token', 'expires_at'], 'the fields');
    },
  ),

  conformanceCase(
    'an unknown field returns 500',
    ['contract/parameters#fields-unknown'],
    async (target) => {
      for (const fields of ['color', 'id,color', 'id,', 'registrations.color']) {
        checkError(await target.api.get('/course.json', { ...target.realm, fields }), 500);
      }
    },
  ),

  conformanceCase(
    'a nested field is written with a dot and implies include_registrations',
    ['contract/parameters#fields-nested', 'contract/courses#nested-field-implies'],
    async (target) => {
      const email = target.learner();
      const course_guid = await target.course();
      await target.register(course_guid, email);
      const key = await target.userKey(email);
      const query = { ...key, course_guid, fields: 'title,registrations.complete' };
      const course = onlyRecordOf(await target.api.get('/course.json', query));
      checkEqual(Object.keys(course).toSorted(), ['registrations', 'title'], 'the fields');
      checkEqual(course['registrations'], { complete: 'unknown' }, 'registrations');
    },
  ),

  ...(['template', 'api_template'] as const).map((parameter) =>
    conformanceCase(
      `${parameter} selects a field set`,
      [
        'contract/parameters#template',
        'contract/parameters#template-public',
        'contract/parameters#template-public-minimum',
        'contract/parameters#template-extended',
      ],
      async (target) => {
        const id = await target.register(await target.course());
        const read = async (template: string) => {
          const query = { ...target.realm, id, [parameter]: template };
          return Object.keys(onlyRecordOf(await target.api.get('/registration.json', query)));
        };
        const minimum = await read('public_minimum');
        const expected = 'complete course_guid id learner_id registration_guid score success';
        checkEqual(minimum.toSorted().join(' '), expected, 'public_minimum');
        const standard = Object.keys(
          onlyRecordOf(await target.api.get('/registration.json', { ...target.realm, id })),
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

  conformanceCase(
    'public_minimum of a course has its ids, GUID and title',
    ['contract/parameters#template-public-minimum'],
    async (target) => {
      const query = {
        ...target.realm,
        course_guid: await target.course(),
        template: 'public_minimum',
      };
      const names = Object.keys(onlyRecordOf(await target.api.get('/course.json', query)));
      for (const name of ['id', 'course_guid', 'title']) check(names.includes(name), `no ${name}`);
      check(!names.includes('custom') && !names.includes('size'), `also ${names.join(', ')}`);
    },
  ),

  conformanceCase(
    'fields takes precedence over template and api_template',
    ['contract/parameters#fields-before-template'],
    async (target) => {
      const templates = { template: 'public_minimum', api_template: 'extended' };
      const query = {
        ...target.realm,
        course_guid: await target.course(),
        ...templates,
        fields: 'size',
      };
      const names = Object.keys(onlyRecordOf(await target.api.get('/course.json', query)));
      checkEqual(names, ['size'], 'the fields');
    },
  ),

  conformanceCase(
    'every filter of course index has a regular-expression form',
    ['contract/parameters#expressions', 'contract/courses#filter-expressions'],
    async (target) => {
      const { mark, a, b } = await pair(target);
      checkEqual(await found(target, { title_re: `${mark} [AB]` }), [a, b].toSorted(), 'title_re');
      checkEqual(await found(target, { custom_re: mark }), [a, b].toSorted(), 'custom_re');
      checkEqual(await found(target, { course_guid_re: `^${a}$` }), [a], 'course_guid_re');
      checkEqual(await found(target, { id_re: `^${b}$` }), [b], 'id_re');
    },
  ),

  conformanceCase(
    'regular expressions are case-sensitive and not anchored',
    ['contract/parameters#expression-dialect'],
    async (target) => {
      const { mark, a } = await pair(target);
      checkEqual(
        await found(target, { title_re: `${mark} A cours` }),
        [a],
        'courses found by a part of the title',
      );
      checkEqual(
        await found(target, { title_re: `${mark} a COURSE` }),
        [],
        'courses found in another case',
      );
      checkEqual(
        await found(target, { title_re: `^${mark} A course$` }),
        [a],
        'courses found with anchors',
      );
    },
  ),

  conformanceCase(
    'regular expressions use the dialect of PostgreSQL',
    ['contract/parameters#expression-dialect'],
    async (target) => {
      const { mark, b } = await pair(target);
      checkEqual(
        await found(target, { title_re: `${mark} (?!A)[[:alpha:]] \\mcourse\\M` }),
        [b],
        'courses found',
      );
    },
  ),

  conformanceCase(
    'several expressions on one field combine with AND',
    ['contract/parameters#several-expressions', 'contract/parameters#filters-combine'],
    async (target) => {
      const { mark, a } = await pair(target);
      const repeated = { title_re: [mark, ' A '] };
      checkEqual(await found(target, repeated), [a], 'courses found with a repeated parameter');
      checkEqual(
        await found(target, { title_re0: mark, title_re1: ' A ' }),
        [a],
        'courses found with numbered parameters',
      );
      checkEqual(
        await found(target, { title_re: mark, title_re7: ' A ' }),
        [a],
        'courses found with both forms',
      );
      checkEqual(
        await found(target, { custom_re: [mark, 'no such text'] }),
        [],
        'courses found when one expression matches nothing',
      );
    },
  ),

  conformanceCase(
    'filters on several fields combine with AND',
    ['contract/parameters#filters-combine'],
    async (target) => {
      const { mark, a, b } = await pair(target);
      checkEqual(
        await found(target, { title_re: mark, custom_re: '"letter":"A"' }),
        [a],
        'courses found by two fields',
      );
      checkEqual(
        await found(target, { title_re: `${mark} A`, course_guid: b }),
        [],
        'courses found when none matches both filters',
      );
    },
  ),

  conformanceCase(
    'custom_re matches the JSON text',
    ['contract/parameters#expressions-over-json'],
    async (target) => {
      const { mark, a, b } = await pair(target);
      const both = `"mark":"${mark}"`;
      checkEqual(
        await found(target, { custom_re: [both, '"level":1'] }),
        [a],
        'courses found with JSON punctuation',
      );
      checkEqual(
        await found(target, { custom_re: [both, '"level":[12]}'] }),
        [a, b].toSorted(),
        'courses found by the end of the text',
      );
      checkEqual(
        await found(target, { custom_re: [both, 'level=1'] }),
        [],
        'courses found without JSON punctuation',
      );
    },
  ),

  conformanceCase(
    'every filter of registration index has a regular-expression form',
    ['contract/parameters#expressions', 'contract/registrations#filter-expressions'],
    async (target) => {
      const course_guid = await target.course();
      const learner = target.learner();
      const guid = await target.register(course_guid, learner);
      const own = { learner_id_re: `^${learner.split('@')[0]}@` };
      for (const filter of [
        own,
        { ...own, course_guid_re: `^${course_guid}$` },
        { registration_guid_re: `^${guid}$` },
        { id_re: guid.slice(1) },
        { learner_id_re0: learner, learner_id_re1: '@example' },
      ]) {
        const response = await target.api.get('/registration.json', { ...target.realm, ...filter });
        checkEqual(valuesOf(response, 'registration_guid'), [guid], response.request);
      }
      const last = { ...target.realm, ...own, last_only: 't' };
      onlyRecordOf(await target.api.get('/registration.json', last));
    },
  ),

  conformanceCase(
    'control parameters have no regular-expression form',
    ['contract/parameters#control-parameters'],
    async (target) => {
      const flag = { ...target.realm, include_registrations_re: 't' };
      checkError(await target.api.get('/course.json', flag), 500);
      for (const name of ['last_only_re', 'crawl_re', 'refresh_if_launched_re', 'fields_re']) {
        checkError(
          await target.api.get('/registration.json', { ...target.realm, [name]: 't' }),
          500,
        );
      }
    },
  ),

  transportCase(
    'an expression that would take long returns 500',
    ['contract/parameters#expression-refused'],
    async (target) => {
      for (const path of ['/course.json', '/registration.json']) {
        for (const course_guid_re of ['(a)\\1', '(a+b)*', '(.{100}){20}', '(?b)a', '(?e)a']) {
          checkError(await target.api.get(path, { ...target.realm, course_guid_re }), 500);
        }
        const course_guid_re = '^(?:no|such)-[a-z]+(?: x)?$';
        const found = await target.api.get(path, { ...target.realm, course_guid_re });
        checkEqual(recordsOf(found), [], 'records');
      }
    },
  ),

  conformanceCase(
    'an expression that is invalid, too long or the ninth returns 500',
    ['contract/parameters#expression-limits', 'contract/errors#status-500'],
    async (target) => {
      for (const path of ['/course.json', '/registration.json']) {
        for (const course_guid_re of ['(', '[a', 'a{2,1}', 'a'.repeat(257)]) {
          checkError(await target.api.get(path, { ...target.realm, course_guid_re }), 500);
        }
      }
      const many = Object.fromEntries(tooMany);
      checkError(await target.api.get('/course.json', { ...target.realm, ...many }), 500);
      const eight = Object.fromEntries(tooMany.slice(0, 8));
      checkStatus(
        await target.api.get('/course.json', { ...target.realm, ...eight, fields: 'id' }),
        200,
      );
      const long = { ...target.realm, title_re: 'a'.repeat(256) };
      checkEqual(
        recordsOf(await target.api.get('/course.json', long)),
        [],
        'one of 256 characters',
      );
    },
  ),
];
