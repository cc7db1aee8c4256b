import { checkEqual, checkRefused, checkStatus, onlyRecordOf, recordOf } from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const newRegistration = async (on: Installation): Promise<Parameters> => ({
  ...on.realm,
  course_guid: await on.course(),
  learner_id: on.learner(),
});

/** Where parameters may stand, what they may be, and in which order a request is checked. */
export const parameterCases = [
  trial(
    'POST takes parameters from the query string',
    ['api-v2: General rules, 5', 'decision 4'],
    async (on) => {
      const parameters = await newRegistration(on);
      const answer = await on.api.send('POST', '/registration.json', { query: parameters });
      checkEqual(recordOf(answer, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  trial(
    'POST takes parameters from a form',
    ['api-v2: General rules, 5', 'decision 4'],
    async (on) => {
      const parameters = await newRegistration(on);
      const answer = await on.api.post('/registration.json', parameters);
      checkEqual(recordOf(answer, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  trial('POST takes parameters from a multipart form', ['decision 4'], async (on) => {
    const parameters = await newRegistration(on);
    const answer = await on.api.postMultipart('/registration.json', parameters);
    checkEqual(recordOf(answer, 201)['learner_id'], parameters['learner_id'], 'learner_id');
  }),

  trial('POST takes parameters from a JSON object', ['decision 4'], async (on) => {
    const parameters = await newRegistration(on);
    const answer = await on.api.postJson('/registration.json', parameters);
    checkEqual(recordOf(answer, 201)['learner_id'], parameters['learner_id'], 'learner_id');
  }),

  trial('POST takes some from the query and some from the body', ['decision 4'], async (on) => {
    const parameters = await newRegistration(on);
    const answer = await on.api.post('/registration.json', parameters, { fname: 'Learner' });
    recordOf(answer, 201);
  }),

  trial('the same value in query and body counts once', ['decision 4'], async (on) => {
    const parameters = await newRegistration(on);
    const { course_guid = '' } = parameters;
    recordOf(await on.api.post('/registration.json', parameters, { course_guid }), 201);
  }),

  trial('different values in query and body are refused', ['decision 4'], async (on) => {
    const parameters = await newRegistration(on);
    const other = { learner_id: on.learner() };
    checkRefused(await on.api.post('/registration.json', parameters, other), 500);
  }),

  trial('a body that cannot be read is refused', ['decision 4'], async (on) => {
    const headers = { 'content-type': 'application/json' };
    const parts = { query: on.realm, headers };
    const broken = await on.api.send('POST', '/registration.json', { ...parts, body: '{"a":' });
    checkRefused(broken, 500);
    const list = await on.api.send('POST', '/registration.json', { ...parts, body: '[1]' });
    checkRefused(list, 500);
  }),

  ...['t', 'true', '1'].map((yes) =>
    trial(`the flag ${yes} is true`, ['decision 5'], async (on) => {
      const learner_id = on.learner();
      await on.register(await on.course(), learner_id);
      const last = await on.register(await on.course(), learner_id);
      const asked = { ...on.realm, learner_id, last_only: yes };
      const found = onlyRecordOf(await on.api.get('/registration.json', asked));
      checkEqual(found['registration_guid'], last, 'the registration found');
    }),
  ),

  trial('the flags f, false, 0 and nothing are false', ['decision 5'], async (on) => {
    const learner_id = on.learner();
    const first = await on.register(await on.course(), learner_id);
    for (const dont_duplicate of ['f', 'false', '0', '']) {
      const another = await on.register(await on.course(), learner_id, { dont_duplicate });
      checkEqual(another === first, false, `dont_duplicate=${dont_duplicate} duplicates not`);
    }
  }),

  trial('any other flag is refused', ['decision 5', 'api-v2: Errors, 500'], async (on) => {
    for (const last_only of ['yes', 'T', '2', 'null']) {
      checkRefused(await on.api.get('/registration.json', { ...on.realm, last_only }), 500);
    }
  }),

  trial(
    'a parameter that the operation does not know is refused',
    ['decision 6', 'api-v2: Errors, 500', 'api-v2: Course: index, 500'],
    async (on) => {
      const colour = { ...on.realm, colour: 'blue' };
      for (const path of ['/course.json', '/registration.json', '/template.json']) {
        checkRefused(await on.api.get(path, colour), 500);
      }
      checkRefused(await on.api.post('/api_key.json', colour), 500);
      checkRefused(await on.api.get('/course.json', { ...on.realm, learner_id: 'x' }), 500);
    },
  ),

  trial('parameters of every operation are always allowed', ['decision 6'], async (on) => {
    const general = {
      format: 'json',
      fields: 'id',
      template: 'public',
      api_template: 'public',
      callback: 'show',
      _: '1700000000000',
    };
    for (const [name, value] of Object.entries(general)) {
      for (const path of ['/course.json', '/registration.json']) {
        checkStatus(await on.api.get(path, { ...on.realm, [name]: value }), 200);
      }
    }
  }),

  trial(
    'the format is checked before the access mode',
    ['decision 2', 'api-v2: Errors, 406'],
    async (on) => {
      checkRefused(await on.api.get('/course.pdf', {}), 406);
      checkRefused(await on.api.get('/course.pdf', { ...on.realm, ...on.application }), 406);
      checkRefused(await on.api.get('/course', { format: 'pdf' }), 406);
    },
  ),

  trial('two access modes are found before a wrong one', ['decision 2'], async (on) => {
    const both = { realm_guid: 'wrong', realm_secret_key: 'wrong', api_key: 'wrong' };
    checkRefused(await on.api.get('/course.json', both), 501);
  }),

  trial('the access mode is checked before the parameters', ['decision 2'], async (on) => {
    checkRefused(await on.api.get('/course.json', { colour: 'blue' }), 401);
    const two = { ...on.realm, ...on.application, colour: 'blue' };
    checkRefused(await on.api.get('/course.json', two), 501);
  }),

  trial('the parameters are checked before the named item', ['decision 2'], async (on) => {
    const unknown = { ...on.realm, course_guid: on.unique('unknown') };
    const malformed = { ...unknown, learner_id: 'no address' };
    checkRefused(await on.api.post('/registration.json', malformed), 500);
    checkRefused(
      await on.api.post('/registration.json', { ...unknown, learner_id: on.learner() }),
      404,
    );
    const nowhere = `/registration/${on.unique('unknown')}/launch_url.json`;
    checkRefused(await on.api.get(nowhere, { ...on.realm, colour: 'blue' }), 500);
    checkRefused(await on.api.get(nowhere, on.realm), 404);
  }),
];
