import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { type JsonRecord, recordOf, textOf } from '../conformance/checks.ts';
import { type Client, type Parameters } from '../conformance/client.ts';
import { Installation } from '../conformance/installation.ts';
import { hardTexts, hardValues, longText } from './hard-texts.ts';
import { agreedRecords, type Format, type RecordForms } from './three-formats.ts';

/** A course in XML (api-v2.md, Course record). */
const courseXml = {
  'course-provider-id': 'course_provider_id',
  'created-at': 'created_at',
  custom: 'custom',
  id: 'id',
  metadata: null,
  'registration-count': 'registrations',
  'sc-course-id': 'course_guid',
  size: 'size',
  title: 'title',
  'updated-at': 'updated_at',
  versions: 'versions',
};
const course: RecordForms = { xml: courseXml };
const registration: RecordForms = { jsonFields: ['custom'] };
const courseWithRegistration: RecordForms = {
  xml: { ...courseXml, 'registration-count': null, registrations: 'registrations' },
  nested: { registrations: registration },
};
/** An update that is sent again changes nothing else. */
const updated = (forms: RecordForms): RecordForms => ({ ...forms, changing: ['updated_at'] });
const addedLearners: RecordForms = {
  nested: { record: {} },
  jsonFields: ['registration_guids'],
};

/** Whatever a client writes, it reads back, and JSON, XML and CSV tell the same of it. */
export function describeFormatAgreement(running: () => RunningSystem): void {
  describe('three formats', () => {
    let on: Installation;
    let api: Client;
    let realm: Parameters;
    beforeAll(() => {
      on = new Installation(running().quickstart);
      ({ api, realm } = on);
    });

    const listed = (path: string, forms: RecordForms, filters: Parameters = {}) =>
      agreedRecords((format) => api.get(`${path}.${format}`, { ...realm, ...filters }), forms);

    /** Makes a record for each text and finds them in the index, as they were given. */
    async function keepsTexts(
      path: string,
      texts: readonly Parameters[],
      forms: RecordForms = {},
    ): Promise<void> {
      const made: JsonRecord[] = [];
      for (const given of texts) {
        const record = recordOf(await api.post(`${path}.json`, { ...realm, ...given }), 201);
        expect(record).toMatchObject(given);
        made.push(record);
      }
      const ids = new Set(made.map(({ id }) => id));
      const found = (await listed(path, forms)).filter(({ id }) => ids.has(id));
      expect(found).toEqual(made);
    }

    it('agree on courses', async () => {
      const course_guid = await on.importCourse('formats');
      const put = (format: Format, given: Parameters) =>
        api.send('PUT', `/course/${course_guid}.${format}`, { query: realm, body: formOf(given) });
      for (const text of hardTexts(1000)) {
        const given = { title: text || 'none', custom: text.repeat(8) };
        const [answer] = await agreedRecords((format) => put(format, given), updated(course));
        expect(answer).toMatchObject(given);
        const [record] = await listed('/course', course, { course_guid });
        expect(record).toMatchObject(given);
      }
      const long = { custom: longText(65_536) };
      await agreedRecords((format) => put(format, long), updated(course));
      expect(await listed('/course', course, { course_guid })).toMatchObject([long]);
    }, 120_000);

    it('agree on registrations, and on those that are nested in courses', async () => {
      const course_guid = await on.importCourse('nested');
      const learner = on.learner();
      const guid = await on.register(course_guid, learner);
      const key = await on.userKey(learner);
      const put = (format: Format, custom: string) =>
        api.put(`/registration/${guid}.${format}`, { ...realm, custom });
      for (const custom of hardValues()) {
        const text = JSON.stringify(custom);
        const [answer] = await agreedRecords((format) => put(format, text), updated(registration));
        expect(answer).toMatchObject({ custom });
        const filters = { registration_guid: guid };
        expect(await listed('/registration', registration, filters)).toMatchObject([{ custom }]);
      }
      const courses = await agreedRecords(
        (format) => api.get(`/course.${format}`, { ...key, include_registrations: 't' }),
        courseWithRegistration,
      );
      const nested = courses.map(({ registrations }) => registrations).filter(Boolean);
      expect(nested).toMatchObject([{ registration_guid: guid }]);
    }, 120_000);

    it("agree on what create answers, and the provider gets a learner's names", async () => {
      const course_guid = await on.importCourse('names');
      const pair = `${on.facts.sc_app_id}:${on.facts.sc_secret_key}`;
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      for (const name of hardTexts(255)) {
        const given = { course_guid, learner_id: on.learner(), fname: name, lname: name };
        const send = (format: Format) =>
          api.post(`/registration.${format}`, { ...realm, ...given, dont_duplicate: 't' });
        const [made] = await agreedRecords(send, registration);
        const guid = textOf(made ?? {}, 'registration_guid');
        const root = `${running().providerUrl}/api/v2`;
        const held = await fetch(`${root}/registrations/${guid}`, { headers: { authorization } });
        const { learner } = (await held.json()) as { learner: Record<string, string> };
        expect(learner).toMatchObject({ firstName: name, lastName: name });
      }
    }, 120_000);

    it('agree on templates', async () => {
      const ofShort = hardTexts(100).map((text, index) => ({
        name: `${on.unique('template')} ${text}`,
        body: text.repeat(3),
        ...(index % 3 !== 0 && { markup: text, mimetype: text }),
      }));
      const long = { name: on.unique('long'), body: longText(1_000_000) };
      await keepsTexts('/template', [...ofShort, long]);
    }, 120_000);

    it('agree on realm users', async () => {
      const texts = hardTexts(65_536).map((custom) => ({ email: on.learner(), custom }));
      await keepsTexts('/realm_user', [...texts, { email: on.learner() }]);
    }, 120_000);

    it('agree on invitations, with courses and learners and without', async () => {
      const course_guid = await on.importCourse('invitation');
      const texts = hardTexts(200).map((text) => ({
        name: `${on.unique('invitation')} ${text}`,
        description: text,
        custom: text,
      }));
      await keepsTexts('/invitation', texts);
      const name = on.unique('invitation');
      const courses = { course_guids: JSON.stringify([course_guid]) };
      await api.post('/invitation.json', { ...realm, name, ...courses });
      const learners = JSON.stringify([on.learner(), "o'neil+tag@example.com", on.learner()]);
      const given = { name, learners, skip_external_initialization: 't' };
      const add = (format: Format, more: Parameters) =>
        api.post(`/invitation/add_learners.${format}`, { ...realm, ...given, ...more });
      await add('json', {});
      const [extended] = await agreedRecords(
        (format) => add(format, { api_template: 'extended' }),
        { ...addedLearners, nested: { record: updated({}) } },
      );
      expect(extended).toMatchObject({ record: { learners: JSON.parse(learners) as unknown } });
      const [shown] = await agreedRecords(
        (format) => add(format, { show_registration_guids: 't' }),
        {
          jsonFields: ['registration_guids'],
        },
      );
      expect(shown).toMatchObject({ registration_guids: extended?.['registration_guids'] });
      const [plain] = await agreedRecords((format) => add(format, {}));
      expect(plain).toMatchObject({ course_guids: [course_guid] });
      for (const api_template of ['public', 'public_minimum', 'extended']) {
        const found = await listed('/invitation', {}, { api_template });
        expect(found.length).toBeGreaterThan(texts.length);
      }
    }, 120_000);
  });
}

const formOf = (given: Parameters) => new URLSearchParams(given as Record<string, string>);
