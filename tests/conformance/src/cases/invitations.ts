import {
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { invite } from './invitation-calls.ts';

export const invitationCases = [
  ...(
    [
      ['POST', '/invitation.json'],
      ['GET', '/invitation/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path} creates an invitation`,
      [
        'contract/invitations#create-routes',
        'contract/invitations#create-name',
        'contract/invitations#create-description',
        'contract/invitations#create-enabled',
        'contract/invitations#create-license',
        'contract/invitations#create-avoid-duplicate-registrations',
        'contract/invitations#create-no-updates-allowed',
        'contract/invitations#create-custom',
        'contract/invitations#create-course-guids',
        'contract/invitations#index-route',
        'contract/invitations#index-filters',
        'contract/formats#operation-create',
        'contract/errors#status-201',
      ],
      async (target) => {
        const course = await target.course();
        const given = {
          name: target.unique('made'),
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
        const query = { ...target.realm, ...(Object.fromEntries(texts) as Parameters) };
        const record = recordOf(await target.api.send(method, path, { query }), 201);
        for (const [name, value] of Object.entries(given)) checkEqual(record[name], value, name);
        checkEqual(record['learners'], [], 'learners');
        const listed = await target.api.get('/invitation.json', {
          ...target.realm,
          name: given.name,
        });
        checkEqual(onlyRecordOf(listed)['id'], record['id'], 'id in the index');
      },
    ),
  ),

  transportCase(
    'a name that is taken in the realm returns 500',
    ['contract/invitations#unique-name'],
    async (target) => {
      const { name } = await invite(target, []);
      checkError(await target.api.post('/invitation.json', { ...target.realm, name }), 500);
      const listed = await target.api.get('/invitation.json', { ...target.realm, name });
      checkEqual(recordsOf(listed).length, 1, 'the number of invitations with the name');
    },
  ),

  conformanceCase(
    'malformed and unknown parameters of create return 500',
    [
      'contract/invitations#create-course-guids',
      'contract/invitations#create-name',
      'contract/parameters#unknown-parameter',
    ],
    async (target) => {
      const name = target.unique('malformed');
      for (const wrong of [
        { course_guids: 'no list' },
        { course_guids: '{"a":1}' },
        { enabled: 'perhaps' },
        { color: 'blue' },
      ]) {
        checkError(
          await target.api.post('/invitation.json', { ...target.realm, name, ...wrong }),
          500,
        );
      }
      checkError(await target.api.post('/invitation.json', target.realm), 500);
    },
  ),

  ...(
    [
      ['PUT', '/invitation/'],
      ['POST', '/invitation/'],
      ['GET', '/invitation/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path}:id updates an invitation`,
      [
        'contract/invitations#update-routes',
        'contract/invitations#update-fields',
        'contract/invitations#update-404',
        'contract/formats#operation-update',
      ],
      async (target) => {
        const course = await target.course();
        const { name, id } = await invite(target, []);
        const update = (item: string, more: Parameters) =>
          target.api.send(method, `${path}${item}.json`, { query: { ...target.realm, ...more } });
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
        checkError(await update('2147483647', changes), 404);
        checkError(await update(id, { color: 'blue' }), 500);
      },
    ),
  ),

  conformanceCase(
    'every operation returns 401 without realm access',
    ['contract/invitations#realm-access-only', 'contract/access#reach-provider'],
    async (target) => {
      const { name } = await invite(target, []);
      const learners = JSON.stringify([target.learner()]);
      for (const access of [target.application, await target.applicationKey(), {}]) {
        const query = { ...access, name, learners };
        checkError(await target.api.get('/invitation/add_learners.json', query), 401);
        checkError(await target.api.get('/invitation.json', access), 401);
        checkError(await target.api.post('/invitation.json', { ...access, name: 'x' }), 401);
      }
      const key = await target.realmKey();
      checkStatus(
        await target.api.get('/invitation/add_learners.json', { ...key, name, learners }),
        200,
      );
    },
  ),

  transportCase(
    'create and update return 404 for an unknown course',
    ['contract/invitations#create-unknown-course', 'contract/invitations#update-404'],
    async (target) => {
      const course_guids = JSON.stringify([target.unique('unknown')]);
      const query = { ...target.realm, name: target.unique('of-unknown'), course_guids };
      checkError(await target.api.post('/invitation.json', query), 404);
      const { id } = await invite(target, []);
      const update = { ...target.realm, course_guids };
      checkError(await target.api.put(`/invitation/${id}.json`, update), 404);
    },
  ),

  conformanceCase(
    'GET /invitation/gupdate finds the invitation by name',
    ['contract/invitations#update-by-name'],
    async (target) => {
      const { name, id } = await invite(target, []);
      const query = { ...target.realm, name, description: 'By name' };
      const record = recordOf(await target.api.get('/invitation/gupdate.json', query));
      checkEqual([String(record['id']), record['description']], [id, 'By name'], 'the record');
      const unknown = { ...query, name: target.unique('unknown') };
      checkError(await target.api.get('/invitation/gupdate.json', unknown), 404);
    },
  ),
];
