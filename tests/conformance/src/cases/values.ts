import {
  check,
  checkEqual,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

/** A text with characters that have a meaning in XML, CSV and spreadsheets. */
const special = '=1+1, "two"\r\nlines & <tags> \u{1f600}';

/** A course whose title and custom text contain special characters. */
const specialCourse = (target: Installation) =>
  target.once('special course', () =>
    target.importCourse('special', { title: special, custom: '{"topic":"a,b"}' }),
  );

const specialFilter = async (target: Installation) => ({
  ...target.realm,
  course_guid: await specialCourse(target),
});

/** Values in JSON, XML and CSV (contract/formats#values). */
export const valueCases = [
  conformanceCase(
    'JSON timestamps are ISO 8601 in UTC, without a fraction of a second',
    ['contract/formats#timestamps'],
    async (target) => {
      const course = onlyRecordOf(
        await target.api.get('/course.json', await specialFilter(target)),
      );
      const key = recordOf(await target.api.post('/api_key.json', target.realm), 201);
      for (const { created_at, updated_at } of [course, key]) {
        check(isTimestamp(created_at), `created_at is ${String(created_at)}`);
        check(isTimestamp(updated_at), `updated_at is ${String(updated_at)}`);
      }
    },
  ),

  transportCase(
    'JSON returns a text as it was given',
    ['contract/formats#same-content'],
    async (target) => {
      const course = onlyRecordOf(
        await target.api.get('/course.json', await specialFilter(target)),
      );
      checkEqual(course['title'], special, 'title');
    },
  ),

  conformanceCase(
    'XML returns a text as it was given',
    ['contract/formats#xml-characters'],
    async (target) => {
      const { text } = await target.api.get('/course.xml', await specialFilter(target));
      checkEqual(parseXml(text).children[0]?.textOf('title'), special, 'title');
    },
  ),

  conformanceCase(
    'XML names have hyphens, and numbers and timestamps have a type',
    ['contract/formats#xml-names', 'contract/formats#xml-types'],
    async (target) => {
      const { text } = await target.api.get('/course.xml', await specialFilter(target));
      const fields = parseXml(text).children[0]?.children ?? [];
      check(!fields.some(({ name }) => name.includes('_')), 'a name has an underscore');
      const typeOf = (name: string) =>
        fields.find((each) => each.name === name)?.attributes['type'];
      checkEqual(typeOf('id'), 'integer', 'type of id');
      checkEqual(typeOf('created-at'), 'datetime', 'type of created-at');
      checkEqual(typeOf('title'), undefined, 'type of title');
    },
  ),

  conformanceCase(
    'XML writes null with nil, and the type of floats',
    ['contract/formats#xml-null', 'contract/formats#xml-types'],
    async (target) => {
      const id = await target.register(await target.course());
      const { text } = await target.api.get('/registration.xml', { ...target.realm, id });
      const fields = parseXml(text).children[0]?.children ?? [];
      const attributesOf = (name: string) => fields.find((each) => each.name === name)?.attributes;
      checkEqual(attributesOf('launched-at')?.['nil'], 'true', 'nil of launched-at');
      checkEqual(attributesOf('score')?.['type'], 'float', 'type of score');
      checkEqual(attributesOf('totaltime')?.['type'], 'float', 'type of totaltime');
    },
  ),

  conformanceCase(
    'XML writes the type of booleans and arrays',
    ['contract/formats#xml-more-types'],
    async (target) => {
      const name = target.unique('typed');
      const course_guids = JSON.stringify([await target.course()]);
      const created = await target.api.post('/invitation.xml', {
        ...target.realm,
        name,
        course_guids,
      });
      checkStatus(created, 201);
      const invitation = parseXml(created.text);
      const typeOf = (field: string) =>
        invitation.children.find((each) => each.name === field)?.attributes['type'];
      checkEqual(typeOf('enabled'), 'boolean', 'type of enabled');
      checkEqual(typeOf('course-guids'), 'array', 'type of course-guids');
    },
  ),

  conformanceCase(
    'the root of a single record in XML is its element',
    ['contract/formats#xml-single-record'],
    async (target) => {
      const key = await target.api.post('/api_key.xml', target.realm);
      checkStatus(key, 201);
      checkEqual(parseXml(key.text).name, 'api-key', 'root');
      const parameters = {
        ...target.realm,
        course_guid: await target.course(),
        learner_id: target.learner(),
      };
      const registration = await target.api.post('/registration.xml', parameters);
      checkStatus(registration, 201);
      checkEqual(parseXml(registration.text).name, 'registration', 'root');
      const guid = onlyRecordOf(
        await target.api.get('/registration.json', {
          ...target.realm,
          learner_id: parameters.learner_id,
          fields: 'registration_guid',
        }),
      )['registration_guid'];
      const launch = await target.api.get(
        `/registration/${String(guid)}/launch_url.xml`,
        target.realm,
      );
      checkStatus(launch, 200);
      checkEqual(parseXml(launch.text).name, 'launch', 'root');
      const empty = await target.api.get('/util/reportage_urls.xml', target.realm);
      checkEqual(parseXml(empty.text).name, 'reportage-urls', 'root');
    },
  ),

  conformanceCase(
    'XML drops the characters that XML 1.0 forbids',
    ['contract/formats#xml-characters'],
    async (target) => {
      const course_guid = await target.importCourse('forbidden', {
        title: 'a\u0001b\u000bc\ufffed',
      });
      const { text } = await target.api.get('/course.xml', { ...target.realm, course_guid });
      checkEqual(parseXml(text).children[0]?.textOf('title'), 'abcd', 'title');
    },
  ),

  conformanceCase(
    'CSV has a header row of the JSON names in their order',
    ['contract/formats#csv-header'],
    async (target) => {
      const filter = await specialFilter(target);
      const course = onlyRecordOf(await target.api.get('/course.json', filter));
      const { text } = await target.api.get('/course.csv', filter);
      checkEqual(text.split('\r\n')[0], Object.keys(course).join(','), 'header row');
    },
  ),

  conformanceCase(
    'CSV quotes cells as in RFC 4180',
    ['contract/formats#csv-quoting', 'contract/formats#csv-formulas'],
    async (target) => {
      const { text } = await target.api.get('/course.csv', await specialFilter(target));
      const [row] = parseCsv(text);
      checkEqual(row?.['title'], `'${special}`, 'title');
      checkEqual(row?.['custom'], '{"topic":"a,b"}', 'custom');
    },
  ),

  ...['=', '+', '-', '@', '\t', '\r'].map((first) =>
    conformanceCase(
      `CSV adds an apostrophe to a text that begins with ${JSON.stringify(first)}`,
      ['contract/formats#csv-formulas'],
      async (target) => {
        const email = target.learner();
        const custom = `${first}text`;
        recordOf(
          await target.api.post('/realm_user.json', { ...target.realm, email, custom }),
          201,
        );
        const { text } = await target.api.get('/realm_user.csv', { ...target.realm, email });
        checkEqual(parseCsv(text)[0]?.['custom'], `'${custom}`, 'custom');
      },
    ),
  ),

  conformanceCase(
    'CSV adds apostrophes to what other separators would make a formula',
    ['contract/formats#csv-formulas-inside'],
    async (target) => {
      const email = target.learner();
      const custom = ' ＝a;=b\n-c';
      recordOf(await target.api.post('/realm_user.json', { ...target.realm, email, custom }), 201);
      const { text } = await target.api.get('/realm_user.csv', { ...target.realm, email });
      checkEqual(parseCsv(text)[0]?.['custom'], " '＝a;'=b\n'-c", 'custom');
    },
  ),

  conformanceCase(
    'CSV adds no apostrophe to other texts',
    ['contract/formats#csv-formulas'],
    async (target) => {
      const email = target.learner();
      const custom = 'a=1';
      recordOf(await target.api.post('/realm_user.json', { ...target.realm, email, custom }), 201);
      const { text } = await target.api.get('/realm_user.csv', { ...target.realm, email });
      checkEqual(parseCsv(text)[0]?.['custom'], custom, 'custom');
    },
  ),

  conformanceCase(
    'CSV writes an array as JSON text',
    ['contract/formats#csv-arrays'],
    async (target) => {
      const name = target.unique('array');
      const guids = [await target.course()];
      const parameters = { ...target.realm, name, course_guids: JSON.stringify(guids) };
      recordOf(await target.api.post('/invitation.json', parameters), 201);
      const { text } = await target.api.get('/invitation.csv', { ...target.realm, name });
      const [row] = parseCsv(text);
      checkEqual(JSON.parse(row?.['course_guids'] ?? 'null'), guids, 'course_guids');
    },
  ),

  conformanceCase(
    'CSV writes a nested record as dotted columns',
    ['contract/formats#csv-nested'],
    async (target) => {
      const email = target.learner();
      const course_guid = await target.course();
      const id = await target.register(course_guid, email);
      const query = { ...(await target.userKey(email)), course_guid, include_registrations: 't' };
      const { text } = await target.api.get('/course.csv', query);
      checkEqual(parseCsv(text)[0]?.['registrations.registration_guid'], id, 'the dotted column');
    },
  ),

  conformanceCase(
    'JSON, XML and CSV show the same values',
    ['contract/formats#same-content'],
    async (target) => {
      const filter = { ...target.realm, course_guid: await target.course() };
      const [json] = recordsOf(await target.api.get('/course.json', filter));
      const xml = parseXml((await target.api.get('/course.xml', filter)).text).children[0];
      const [csv] = parseCsv((await target.api.get('/course.csv', filter)).text);
      checkEqual(csv?.['id'], String(json?.['id']), 'id in CSV');
      checkEqual(xml?.textOf('id'), String(json?.['id']), 'id in XML');
      checkEqual(csv?.['created_at'], json?.['created_at'], 'created_at in CSV');
      checkEqual(xml?.textOf('created-at'), json?.['created_at'], 'created-at in XML');
    },
  ),
];
