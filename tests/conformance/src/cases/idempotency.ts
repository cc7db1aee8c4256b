import { checkEqual, checkError, checkStatus, recordOf, recordsOf } from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

/** Parameters of a registration create for a new learner. */
const newRegistration = async (target: Installation): Promise<Parameters> => ({
  ...target.realm,
  course_guid: await target.course(),
  learner_id: target.learner(),
});

const send = (target: Installation, path: string, query: Parameters, key: string) =>
  target.api.send('POST', path, { query, headers: { 'idempotency-key': key } });

const guidOf = (record: Readonly<Record<string, unknown>>) => record['registration_guid'];

/** Requests that are repeated under an idempotency key (contract/errors#repeated-requests). */
export const idempotencyCases = [
  transportCase(
    'a repeated request returns the first response and has one effect',
    ['contract/errors#idempotency-key'],
    async (target) => {
      const parameters = await newRegistration(target);
      const key = target.unique('key');
      const first = await send(target, '/registration.json', parameters, key);
      const second = await send(target, '/registration.json', parameters, key);
      checkEqual(recordOf(second, 201), recordOf(first, 201), 'the repeated response');
      const { learner_id } = parameters;
      const listed = await target.api.get('/registration.json', { ...target.realm, learner_id });
      checkEqual(recordsOf(listed).length, 1, 'the number of registrations');
    },
  ),

  transportCase(
    'concurrent requests with one key have one effect',
    ['contract/errors#idempotency-in-progress', 'contract/errors#idempotency-key'],
    async (target) => {
      const parameters = await newRegistration(target);
      const key = target.unique('key');
      const responses = await Promise.all(
        Array.from({ length: 4 }, () => send(target, '/registration.json', parameters, key)),
      );
      const guids = new Set(responses.map((response) => guidOf(recordOf(response, 201))));
      checkEqual(guids.size, 1, 'the number of GUIDs');
      const { learner_id } = parameters;
      const listed = await target.api.get('/registration.json', { ...target.realm, learner_id });
      checkEqual(recordsOf(listed).length, 1, 'the number of registrations');
    },
  ),

  transportCase(
    'a key of one operation returns 500 with other parameters, and has no effect',
    ['contract/errors#idempotency-key-scope'],
    async (target) => {
      const key = target.unique('key');
      const parameters = await newRegistration(target);
      const first = recordOf(await send(target, '/registration.json', parameters, key), 201);
      const other = { ...parameters, learner_id: target.learner() };
      checkError(await send(target, '/registration.json', other, key), 500);
      const { learner_id } = other;
      const listed = await target.api.get('/registration.json', { ...target.realm, learner_id });
      checkEqual(recordsOf(listed), [], 'registrations of the other learner');
      const shown = { ...parameters, fields: 'registration_guid' };
      const again = recordOf(await send(target, '/registration.json', shown, key), 201);
      checkEqual(guidOf(again), guidOf(first), 'the response with other fields');
      checkStatus(await send(target, '/api_key.json', target.realm, key), 201);
    },
  ),

  transportCase(
    'a response that was kept says so when it is repeated',
    ['contract/errors#idempotency-replayed'],
    async (target) => {
      const parameters = await newRegistration(target);
      const template = { ...target.realm, name: target.unique('template') };
      const requests = [
        ['/registration.json', parameters, 201],
        ['/api_key.json', target.realm, 201],
        ['/template.json', template, 201],
        ['/template/2147483647.json', template, 404],
      ] as const;
      for (const [path, query, status] of requests) {
        const key = target.unique('key');
        for (const expected of [null, 'true', 'true']) {
          const response = await send(target, path, query, key);
          checkStatus(response, status);
          const replayed = response.headers.get('idempotency-replayed');
          checkEqual(replayed, expected, `Idempotency-Replayed of ${response.request}`);
        }
      }
    },
  ),

  transportCase(
    'an error is returned again for a repeated request',
    ['contract/errors#idempotency-errors'],
    async (target) => {
      const query = { ...target.realm, name: target.unique('template'), body: 'x' };
      recordOf(await target.api.post('/template.json', query), 201);
      const key = target.unique('key');
      checkError(await send(target, '/template.json', query, key), 302);
      checkError(await send(target, '/template.json', query, key), 302);
    },
  ),

  conformanceCase(
    'a key that is not 1 to 255 visible ASCII characters returns 500',
    ['contract/errors#idempotency-key-form'],
    async (target) => {
      const parameters = await newRegistration(target);
      for (const key of ['a b', 'x'.repeat(256), 'é']) {
        checkError(await send(target, '/registration.json', parameters, key), 500);
      }
      const longest = target.unique('key').padEnd(255, 'x');
      checkStatus(await send(target, '/registration.json', parameters, longest), 201);
    },
  ),
];
