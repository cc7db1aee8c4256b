import { checkEqual, checkError, recordOf, recordsOf } from '../checks.ts';
import { transportCase } from '../conformance-case.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Texts that are too long (contract/parameters#long-values). */
export const longValueCases = [
  transportCase(
    'a text that is too long for its parameter returns 500',
    ['contract/parameters#text-length'],
    async (target) => {
      const course_guid = await target.course();
      const learner_id = target.learner();
      const long = (length: number) => 'x'.repeat(length);
      const { api, realm } = target;
      for (const name of [{ fname: long(256) }, { lname: long(256) }]) {
        const parameters = { ...realm, course_guid, learner_id, ...name };
        checkError(await api.post('/registration.json', parameters), 500);
      }
      const title = long(1_001);
      checkError(await api.post(`/course/${course_guid}.json`, { ...realm, title }), 500);
      const name = target.unique('long');
      const description = long(65_537);
      checkError(await api.post('/invitation.json', { name, description }, realm), 500);
      const body = long(1_048_577);
      checkError(await api.post('/template.json', { name, body }, realm), 500);
      checkError(await api.get('/template.json', { ...realm, name: long(65_537) }), 500);
    },
  ),

  transportCase(
    'custom data of every record return 500 when they are too long',
    ['contract/parameters#custom-length'],
    async (target) => {
      const { api, realm } = target;
      const custom = 'x'.repeat(65_537);
      const course_guid = await target.course();
      const registration = String(await target.register(course_guid));
      const paths = ['/realm_user', '/invitation', `/course/${course_guid}`];
      for (const path of paths) {
        const own = { email: target.learner(), name: target.unique('long') };
        const named = path === '/realm_user' ? { email: own.email } : { name: own.name };
        const given = path.startsWith('/course') ? {} : named;
        checkError(await api.post(`${path}.json`, { ...given, custom }, realm), 500);
      }
      const update = (text: string) =>
        api.put(`/registration/${registration}.json`, { custom: text }, realm);
      checkError(await update(JSON.stringify('x'.repeat(65_535))), 500);
      checkError(await update(nested(101)), 500);
      checkError(await update(nested(30_000)), 500);
      const longest = 'x'.repeat(65_534);
      checkEqual(recordOf(await update(JSON.stringify(longest)))['custom'], longest, 'custom');
      const deepest = nested(100);
      recordOf(await update(` ${deepest} `));
      const [listed] = recordsOf(
        await api.get('/registration.json', { ...realm, registration_guid: registration }),
      );
      checkEqual(JSON.stringify(listed?.['custom']), deepest, 'custom');
    },
  ),
];
