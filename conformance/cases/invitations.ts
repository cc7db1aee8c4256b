import {
  checkEqual,
  checkRefused,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import { invite } from './invitation-calls.ts';

export const invitationCases = [
  ...(
    [
      ['POST', '/invitation.json'],
      ['GET', '/invitation/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path} makes an invitation`,
      ['decision 24', 'api-v2: Operation names, create', 'api-v2: Errors, 201'],
      async (on) => {
        const course = await on.course();
        const given = {
          name: on.unique('made'),
          description: 'For all',
          enabled: true,
          license: false,
          avoid_duplicate_registrations: true,
          no_updates_allowed: false,
          custom: '{"order_id":"7"}',
          course_guids: [course],
        };
        const texts = Object.entries(given).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        const query = { ...on.realm, ...(Object.fromEntries(texts) as Parameters) };
        const record = recordOf(await on.api.send(method, path, { query }), 201);
        for (const [name, value] of Object.entries(given)) checkEqual(record[name], value, name);
        checkEqual(record['learners'], [], 'learners');
        const listed = await on.api.get('/invitation.json', { ...on.realm, name: given.name });
        checkEqual(onlyRecordOf(listed)['id'], record['id'], 'id in the index');
      },
    ),
  ),

  trial('a name is unique in its realm', ['decision 24'], async (on) => {
    const { name } = await invite(on, []);
    checkRefused(await on.api.post('/invitation.json', { ...on.realm, name }), 500);
    const listed = await on.api.get('/invitation.json', { ...on.realm, name });
    checkEqual(recordsOf(listed).length, 1, 'the number of that name');
  }),

  trial('create refuses what is malformed', ['decision 24', 'decision 6'], async (on) => {
    const name = on.unique('malformed');
    for (const wrong of [
      { course_guids: 'no list' },
      { course_guids: '{"a":1}' },
      { enabled: 'perhaps' },
      { colour: 'blue' },
    ]) {
      checkRefused(await on.api.post('/invitation.json', { ...on.realm, name, ...wrong }), 500);
    }
    checkRefused(await on.api.post('/invitation.json', on.realm), 500);
  }),

  ...(
    [
      ['PUT', '/invitation/'],
      ['POST', '/invitation/'],
      ['GET', '/invitation/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path}:id updates an invitation`,
      ['decision 24', 'api-v2: Operation names, update'],
      async (on) => {
        const course = await on.course();
        const { name, id } = await invite(on, []);
        const update = (item: string, more: Parameters) =>
          on.api.send(method, `${path}${item}.json`, { query: { ...on.realm, ...more } });
        const changes = {
          description: 'New',
          enabled: 'f',
          course_guids: JSON.stringify([course]),
        };
        const record = recordOf(await update(id, changes));
        checkEqual(
          [record['name'], record['description'], record['enabled'], record['course_guids']],
          [name, 'New', false, [course]],
          'the record',
        );
        checkRefused(await update('2147483647', changes), 404);
        checkRefused(await update(id, { colour: 'blue' }), 500);
      },
    ),
  ),

  trial(
    'invitations are for realm access only',
    ['decision 24', 'decision 14', 'api-v2: Invitation: add_learners, access'],
    async (on) => {
      const { name } = await invite(on, []);
      const learners = JSON.stringify([on.learner()]);
      for (const access of [on.application, await on.applicationKey(), {}]) {
        const query = { ...access, name, learners };
        checkRefused(await on.api.get('/invitation/add_learners.json', query), 401);
        checkRefused(await on.api.get('/invitation.json', access), 401);
        checkRefused(await on.api.post('/invitation.json', { ...access, name: 'x' }), 401);
      }
      const key = await on.realmKey();
      checkStatus(
        await on.api.get('/invitation/add_learners.json', { ...key, name, learners }),
        200,
      );
    },
  ),
];
