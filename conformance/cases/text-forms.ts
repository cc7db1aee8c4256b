import {
  check,
  checkEqual,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

/** A text that XML, CSV and spreadsheets each take for something else. */
const awkward = '=1+1, "two"\r\nlines & <tags> \u{1f600}';

/** A course with an awkward title and custom text. */
const awkwardCourse = (on: Installation) =>
  on.once('awkward course', () =>
    on.importCourse('awkward', { title: awkward, custom: '{"topic":"a,b"}' }),
  );

const awkwardFilter = async (on: Installation) => ({
  ...on.realm,
  course_guid: await awkwardCourse(on),
});

/** How values look in JSON, XML and CSV. */
export const textFormCases = [
  trial(
    'JSON timestamps are ISO 8601 in UTC, without a fraction of a second',
    ['api-v2: Records, timestamps', 'decision 7'],
    async (on) => {
      const course = onlyRecordOf(await on.api.get('/course.json', await awkwardFilter(on)));
      const key = recordOf(await on.api.post('/api_key.json', on.realm), 201);
      for (const { created_at, updated_at } of [course, key]) {
        check(isTimestamp(created_at), `created_at is ${String(created_at)}`);
        check(isTimestamp(updated_at), `updated_at is ${String(updated_at)}`);
      }
    },
  ),

  trial('JSON holds a text as it was given', ['decision 7'], async (on) => {
    const course = onlyRecordOf(await on.api.get('/course.json', await awkwardFilter(on)));
    checkEqual(course['title'], awkward, 'title');
  }),

  trial('XML holds a text as it was given, by another parser', ['decision 8'], async (on) => {
    const { text } = await on.api.get('/course.xml', await awkwardFilter(on));
    checkEqual(parseXml(text).children[0]?.textOf('title'), awkward, 'title');
  }),

  trial(
    'XML names have hyphens, numbers and timestamps a type',
    ['api-v2: Records, XML types', 'api-v2: Records, XML names', 'decision 8'],
    async (on) => {
      const { text } = await on.api.get('/course.xml', await awkwardFilter(on));
      const fields = parseXml(text).children[0]?.children ?? [];
      check(!fields.some(({ name }) => name.includes('_')), 'a name has an underscore');
      const typeOf = (name: string) =>
        fields.find((each) => each.name === name)?.attributes['type'];
      checkEqual(typeOf('id'), 'integer', 'type of id');
      checkEqual(typeOf('created-at'), 'datetime', 'type of created-at');
      checkEqual(typeOf('title'), undefined, 'type of title');
    },
  ),

  trial('XML writes null as nil, and floats with their type', ['decision 8'], async (on) => {
    const id = await on.register(await on.course());
    const { text } = await on.api.get('/registration.xml', { ...on.realm, id });
    const fields = parseXml(text).children[0]?.children ?? [];
    const attributesOf = (name: string) => fields.find((each) => each.name === name)?.attributes;
    checkEqual(attributesOf('launched-at')?.['nil'], 'true', 'nil of launched-at');
    checkEqual(attributesOf('score')?.['type'], 'float', 'type of score');
    checkEqual(attributesOf('totaltime')?.['type'], 'float', 'type of totaltime');
  }),

  trial('XML types booleans and arrays', ['decision 8'], async (on) => {
    const name = on.unique('typed');
    const course_guids = JSON.stringify([await on.course()]);
    const made = await on.api.post('/invitation.xml', { ...on.realm, name, course_guids });
    checkStatus(made, 201);
    const invitation = parseXml(made.text);
    const typeOf = (field: string) =>
      invitation.children.find((each) => each.name === field)?.attributes['type'];
    checkEqual(typeOf('enabled'), 'boolean', 'type of enabled');
    checkEqual(typeOf('course-guids'), 'array', 'type of course-guids');
  }),

  trial('a single record in XML is its singular element', ['decision 8'], async (on) => {
    const key = await on.api.post('/api_key.xml', on.realm);
    checkStatus(key, 201);
    checkEqual(parseXml(key.text).name, 'api-key', 'root');
    const parameters = { ...on.realm, course_guid: await on.course(), learner_id: on.learner() };
    const registration = await on.api.post('/registration.xml', parameters);
    checkStatus(registration, 201);
    checkEqual(parseXml(registration.text).name, 'registration', 'root');
  }),

  trial('XML drops the characters that XML 1.0 forbids', ['decision 8'], async (on) => {
    const course_guid = await on.importCourse('forbidden', { title: 'a\u0001b\u000bc\ufffed' });
    const { text } = await on.api.get('/course.xml', { ...on.realm, course_guid });
    checkEqual(parseXml(text).children[0]?.textOf('title'), 'abcd', 'title');
  }),

  trial('CSV has a header row of the JSON names, in their order', ['decision 7'], async (on) => {
    const filter = await awkwardFilter(on);
    const course = onlyRecordOf(await on.api.get('/course.json', filter));
    const { text } = await on.api.get('/course.csv', filter);
    checkEqual(text.split('\r\n')[0], Object.keys(course).join(','), 'header row');
  }),

  trial(
    'CSV quotes as RFC 4180 says, and guards texts that a spreadsheet would calculate',
    ['decision 7'],
    async (on) => {
      const { text } = await on.api.get('/course.csv', await awkwardFilter(on));
      const [row] = parseCsv(text);
      checkEqual(row?.['title'], `'${awkward}`, 'title');
      checkEqual(row?.['custom'], '{"topic":"a,b"}', 'custom');
    },
  ),

  ...['=', '+', '-', '@', '\t', '\r'].map((first) =>
    trial(
      `CSV guards a text that begins with ${JSON.stringify(first)}`,
      ['decision 7'],
      async (on) => {
        const email = on.learner();
        const custom = `${first}text`;
        recordOf(await on.api.post('/realm_user.json', { ...on.realm, email, custom }), 201);
        const { text } = await on.api.get('/realm_user.csv', { ...on.realm, email });
        checkEqual(parseCsv(text)[0]?.['custom'], `'${custom}`, 'custom');
      },
    ),
  ),

  trial('CSV leaves numbers below zero and other texts alone', ['decision 7'], async (on) => {
    const email = on.learner();
    const custom = 'a=1';
    recordOf(await on.api.post('/realm_user.json', { ...on.realm, email, custom }), 201);
    const { text } = await on.api.get('/realm_user.csv', { ...on.realm, email });
    checkEqual(parseCsv(text)[0]?.['custom'], custom, 'custom');
  }),

  trial('CSV shows arrays as JSON text', ['decision 7'], async (on) => {
    const name = on.unique('array');
    const guids = [await on.course()];
    const parameters = { ...on.realm, name, course_guids: JSON.stringify(guids) };
    recordOf(await on.api.post('/invitation.json', parameters), 201);
    const { text } = await on.api.get('/invitation.csv', { ...on.realm, name });
    const [row] = parseCsv(text);
    checkEqual(JSON.parse(row?.['course_guids'] ?? 'null'), guids, 'course_guids');
  }),

  trial('CSV shows nested records as dotted columns', ['decision 7'], async (on) => {
    const email = on.learner();
    const course_guid = await on.course();
    const id = await on.register(course_guid, email);
    const asked = { ...(await on.userKey(email)), course_guid, include_registrations: 't' };
    const { text } = await on.api.get('/course.csv', asked);
    checkEqual(parseCsv(text)[0]?.['registrations.registration_guid'], id, 'the dotted column');
  }),

  trial('every format tells the same', ['api-v2: General rules, 3'], async (on) => {
    const filter = { ...on.realm, course_guid: await on.course() };
    const [json] = recordsOf(await on.api.get('/course.json', filter));
    const xml = parseXml((await on.api.get('/course.xml', filter)).text).children[0];
    const [csv] = parseCsv((await on.api.get('/course.csv', filter)).text);
    checkEqual(csv?.['id'], String(json?.['id']), 'id in CSV');
    checkEqual(xml?.textOf('id'), String(json?.['id']), 'id in XML');
    checkEqual(csv?.['created_at'], json?.['created_at'], 'created_at in CSV');
    checkEqual(xml?.textOf('created-at'), json?.['created_at'], 'created-at in XML');
  }),
];
