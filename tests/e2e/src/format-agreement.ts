import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { type JsonRecord, recordOf, textOf } from '@registrar/conformance';
import { type Client, type Parameters } from '@registrar/conformance';
import { Installation } from '@registrar/conformance';
import { edgeCaseTexts, edgeCaseValues, longText } from './edge-case-texts.ts';
import { consistentRecords, type Format, type FormatDifferences } from './format-comparison.ts';

/** A course in XML (contract/courses#xml). */
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
const course: FormatDifferences = { xml: courseXml };
const registration: FormatDifferences = { jsonFields: ['custom'] };
const courseWithRegistration: FormatDifferences = {
  xml: { ...courseXml, 'registration-count': null, registrations: 'registrations' },
  nested: { registrations: registration },
};
/** A repeated update changes only `updated_at`. */
const updated = (forms: FormatDifferences): FormatDifferences => ({
  ...forms,
  changing: ['updated_at'],
});
const addedLearners: FormatDifferences = {
  nested: { record: {} },
  jsonFields: ['registration_guids'],
};

/** Checks that texts with special characters are returned unchanged, and that JSON, XML and CSV show the same values. */
export function describeFormatAgreement(running: () => RunningSystem): void {
  describe('JSON, XML and CSV', () => {
    let on: Installation;
    let api: Client;
    let realm: Parameters;
    beforeAll(() => {
      on = new Installation(running().quickstart);
      ({ api, realm } = on);
    });

    const listed = (path: string, forms: FormatDifferences, filters: Parameters = {}) =>
      consistentRecords((format) => api.get(`${path}.${format}`, { ...realm, ...filters }), forms);

    /** Creates a record for each text, and expects the index to return each text unchanged. */
    async function keepsTexts(
      path: string,
      texts: readonly Parameters[],
      forms: FormatDifferences = {},
    ): Promise<void> {
      const made: JsonRecord[] = [];
      for (const given of texts) {
        const record = recordOf(await api.post(`${path}.json`, given, realm), 201);
        expect(record).toMatchObject(given);
        made.push(record);
      }
      const ids = new Set(made.map(({ id }) => id));
      const found = (await listed(path, forms)).filter(({ id }) => ids.has(id));
      expect(found).toEqual(made);
    }

    it('JSON, XML and CSV show the same values of courses', async () => {
      const course_guid = await on.importCourse('formats');
      const put = (format: Format, given: Parameters) =>
        api.send('PUT', `/course/${course_guid}.${format}`, { query: realm, body: formOf(given) });
      for (const text of edgeCaseTexts(1000)) {
        const given = { title: text || 'none', custom: text.repeat(8) };
        const [answer] = await consistentRecords((format) => put(format, given), updated(course));
        expect(answer).toMatchObject(given);
        const [record] = await listed('/course', course, { course_guid });
        expect(record).toMatchObject(given);
      }
      const long = { custom: longText(65_536) };
      await consistentRecords((format) => put(format, long), updated(course));
      expect(await listed('/course', course, { course_guid })).toMatchObject([long]);
    });

    it('JSON, XML and CSV show the same values of registrations, also nested in courses', async () => {
      const course_guid = await on.importCourse('nested');
      const learner = on.learner();
      const guid = await on.register(course_guid, learner);
      const key = await on.userKey(learner);
      const put = (format: Format, custom: string) =>
        api.put(`/registration/${guid}.${format}`, { custom }, realm);
      for (const custom of edgeCaseValues()) {
        const text = JSON.stringify(custom);
        const [answer] = await consistentRecords(
          (format) => put(format, text),
          updated(registration),
        );
        expect(answer).toMatchObject({ custom });
        const filters = { registration_guid: guid };
        expect(await listed('/registration', registration, filters)).toMatchObject([{ custom }]);
      }
      const courses = await consistentRecords(
        (format) => api.get(`/course.${format}`, { ...key, include_registrations: 't' }),
        courseWithRegistration,
      );
      const nested = courses.map(({ registrations }) => registrations).filter(Boolean);
      expect(nested).toMatchObject([{ registration_guid: guid }]);
    });

    it('JSON, XML and CSV show the same values of a created registration, whose learner has these names at the provider', async () => {
      const course_guid = await on.importCourse('names');
      const pair = `${on.facts.sc_app_id}:${on.facts.sc_secret_key}`;
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      for (const name of edgeCaseTexts(255)) {
        const given = { course_guid, learner_id: on.learner(), fname: name, lname: name };
        const send = (format: Format) =>
          api.post(`/registration.${format}`, { ...realm, ...given, dont_duplicate: 't' });
        const [made] = await consistentRecords(send, registration);
        const guid = textOf(made ?? {}, 'registration_guid');
        const root = `${running().providerUrl}/api/v2`;
        const held = await fetch(`${root}/registrations/${guid}`, { headers: { authorization } });
        const { learner } = (await held.json()) as { learner: Record<string, string> };
        expect(learner).toMatchObject({ firstName: name, lastName: name });
      }
    });

    it('JSON, XML and CSV show the same values of templates', async () => {
      const ofShort = edgeCaseTexts(100).map((text, index) => ({
        name: `${on.unique('template')} ${text}`,
        body: text.repeat(3),
        ...(index % 3 !== 0 && { markup: text, mimetype: text }),
      }));
      const long = { name: on.unique('long'), body: longText(1_000_000) };
      await keepsTexts('/template', [...ofShort, long]);
      const whole = await listed('/template', {});
      expect(await listed('/template', {}, { limit: '3', bom: 't' })).toEqual(whole.slice(0, 3));
    });

    it('JSON, XML and CSV show the same values of realm users', async () => {
      const texts = edgeCaseTexts(65_536).map((custom) => ({ email: on.learner(), custom }));
      await keepsTexts('/realm_user', [...texts, { email: on.learner() }]);
    });

    it('JSON, XML and CSV show the same values of invitations, with and without courses and learners', async () => {
      const course_guid = await on.importCourse('invitation');
      const texts = edgeCaseTexts(200).map((text) => ({
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
      const [extended] = await consistentRecords(
        (format) => add(format, { api_template: 'extended' }),
        { ...addedLearners, nested: { record: updated({}) } },
      );
      expect(extended).toMatchObject({ record: { learners: JSON.parse(learners) as unknown } });
      const [shown] = await consistentRecords(
        (format) => add(format, { show_registration_guids: 't' }),
        {
          jsonFields: ['registration_guids'],
        },
      );
      expect(shown).toMatchObject({ registration_guids: extended?.['registration_guids'] });
      const [plain] = await consistentRecords((format) => add(format, {}));
      expect(plain).toMatchObject({ course_guids: [course_guid] });
      for (const api_template of ['public', 'public_minimum', 'extended']) {
        const found = await listed('/invitation', {}, { api_template });
        expect(found.length).toBeGreaterThan(texts.length);
      }
    });
  });
}

const formOf = (given: Parameters) => new URLSearchParams(given as Record<string, string>);
