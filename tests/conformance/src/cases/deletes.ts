import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
  textOf,
} from '../checks.ts';
import { checkSoon } from '../check-soon.ts';
import type { ApiResponse, Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { fetchLaunch } from '../fetch-launch.ts';
import type { Installation } from '../installation.ts';
import { ProviderAccount } from '../provider-account.ts';
import { addLearners, invite, license, registrationsOf } from './invitation-calls.ts';

const remove = (target: Installation, path: string, query: Parameters = target.realm) =>
  target.api.send('DELETE', `${path}.json`, { query });

const checkDeleted = (target: Installation, id: string) =>
  checkSoon(async () => {
    const listed = await target.api.get('/registration.json', { ...target.realm, id });
    return onlyRecordOf(listed)['deleted'] === 1;
  }, `the registration ${id} is not deleted`);

/** Checks that an API key is not accepted. */
async function checkRejected(target: Installation, token: unknown): Promise<void> {
  const read = () => target.api.get('/course.json', { api_key: String(token), fields: 'id' });
  // A list that began before the deletion is broken off.
  const statusSoon = async () => (await read().catch(() => null))?.status;
  await checkSoon(async () => (await statusSoon()) === 401, 'the deleted key is accepted');
  checkError(await read(), 401);
}

async function createTemplate(target: Installation, name: string) {
  const parameters = { ...target.realm, name, body: 'x' };
  const record = recordOf(await target.api.post('/template.json', parameters), 201);
  return { record, id: String(record['id']) };
}

const createKey = async (target: Installation, parameters: Parameters = target.realm) =>
  recordOf(await target.api.post('/api_key.json', parameters), 201);

const messagesOf = (response: ApiResponse) => recordOf(response)['messages'] as string[];

/** Deletes (contract/formats#operation-delete). */
export const deleteCases = [
  transportCase(
    'DELETE /course/:id deletes the course, at its provider too',
    [
      'contract/courses#delete-route',
      'contract/courses#delete-404',
      'contract/formats#operation-delete',
      'contract/errors#repeated-delete',
    ],
    async (target) => {
      const course_guid = await target.importCourse('deleted');
      const deleted = recordOf(await remove(target, `/course/${course_guid}`));
      checkEqual(deleted['course_guid'], course_guid, 'course_guid');
      checkError(await remove(target, `/course/${course_guid}`), 404);
      checkError(await target.api.get(`/course/${course_guid}.json`, target.realm), 404);
      const listed = await target.api.get('/course.json', { ...target.realm, course_guid });
      checkEqual(recordsOf(listed), [], 'the index');
      const register = { ...target.application, course_guid };
      checkError(await target.api.post('/course.json', register), 404);
      checkError(await remove(target, '/course/unknown'), 404);
    },
  ),

  transportCase(
    'the registrations of a deleted course are deleted and stay in the index',
    [
      'contract/courses#delete-registrations',
      'contract/courses#delete-provider',
      'contract/registrations#deleted',
    ],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const course_guid = await target.importCourse('deleted');
      const registration = await target.register(course_guid);
      check(await provider.holdsRegistration(registration), 'the provider has no registration');
      checkStatus(await remove(target, `/course/${course_guid}`), 200);
      check(!(await provider.holdsRegistration(registration)), 'the provider has a registration');
      await checkDeleted(target, registration);
    },
  ),

  conformanceCase(
    'a course that is created again is a new one',
    ['contract/courses#delete-again'],
    async (target) => {
      const course_guid = await target.importCourse('again', { custom: 'former', title: 'Former' });
      const former = await target.register(course_guid);
      checkStatus(await remove(target, `/course/${course_guid}`), 200);
      await checkDeleted(target, former);
      await target.uploadCourse({ course_guid });
      const course = recordOf(await target.api.get(`/course/${course_guid}.json`, target.realm));
      checkEqual(course['custom'], null, 'custom');
      check(course['title'] !== 'Former', 'the course has its former title');
      await target.register(course_guid);
      await checkDeleted(target, former);
    },
  ),

  conformanceCase(
    'an invitation keeps a deleted course, for which nobody gets a registration',
    ['contract/courses#delete-invitations'],
    async (target) => {
      const course_guid = await target.importCourse('deleted');
      const first = target.learner();
      const { id, name } = await license(target, course_guid, 5);
      checkStatus(await addLearners(target, { name, learners: [first], nodelay: 't' }), 200);
      const [registration] = await registrationsOf(target, first);
      checkStatus(await remove(target, `/course/${course_guid}`), 200);
      await checkDeleted(target, textOf(registration ?? {}, 'registration_guid'));
      const invitation = recordOf(await target.api.get(`/invitation/${id}.json`, target.realm));
      checkEqual(
        [invitation['course_guids'], invitation['learners'], invitation['registration_guids']],
        [[course_guid], [first], []],
        'courses, learners and registrations',
      );
      check(String(invitation['custom']).includes('"seats_available":4'), 'the seats changed');
      const second = target.learner();
      const add = { name, learners: [second], api_template: 'extended' };
      check(messagesOf(await addLearners(target, add)).length > 0, 'there is no message');
      checkEqual(await registrationsOf(target, second), [], 'registrations');
    },
  ),

  transportCase(
    'DELETE /registration/:id deletes the registration, at its provider too',
    [
      'contract/registrations#delete-route',
      'contract/registrations#delete-provider',
      'contract/registrations#delete-final',
      'contract/registrations#delete-404',
      'contract/registrations#deleted',
      'contract/errors#repeated-delete',
    ],
    async (target) => {
      const provider = await ProviderAccount.of(target);
      const learner_id = target.learner();
      const id = await target.register(await target.course(), learner_id);
      const launch = `/registration/${id}/launch_url.json`;
      const url = textOf(recordOf(await target.api.get(launch, target.realm)), 'launch_url');
      const record = recordOf(await remove(target, `/registration/${id}`));
      checkEqual([record['registration_guid'], record['deleted']], [id, 1], 'the record');
      check(!(await provider.holdsRegistration(id)), 'the provider has the registration');
      checkError(await target.api.get(launch, target.realm), 404);
      const opened = await fetchLaunch(url, { redirect: 'manual' });
      check(opened.status >= 400, `the launch URL returns ${opened.status}`);
      const crawled = { ...target.realm, learner_id, crawl: 't' };
      checkEqual(
        onlyRecordOf(await target.api.get('/registration.json', crawled))['deleted'],
        1,
        'deleted in the index',
      );
      const shown = recordOf(await target.api.get(`/registration/${id}.json`, target.realm));
      checkEqual([shown['deleted'], shown['active']], [1, true], 'deleted and active');
      checkError(await remove(target, `/registration/${id}`), 404);
      checkError(await remove(target, '/registration/unknown'), 404);
    },
  ),

  conformanceCase(
    'a learner keeps the seat of a deleted registration and gets another one on it',
    ['contract/registrations#delete-invitations'],
    async (target) => {
      const learner = target.learner();
      const { id, name } = await license(target, await target.course(), 1);
      const add = { name, learners: [learner], nodelay: 't', api_template: 'extended' };
      checkStatus(await addLearners(target, add), 200);
      const [registration] = await registrationsOf(target, learner);
      const former = textOf(registration ?? {}, 'registration_guid');
      checkStatus(await remove(target, `/registration/${former}`), 200);
      const invitation = recordOf(await target.api.get(`/invitation/${id}.json`, target.realm));
      checkEqual(invitation['learners'], [learner], 'learners');
      checkStatus(await addLearners(target, add), 200);
      const usable = await target.api.get('/registration.json', {
        ...target.realm,
        learner_id: learner,
        last_only: 't',
      });
      check(onlyRecordOf(usable)['registration_guid'] !== former, 'the former one is returned');
    },
  ),

  transportCase(
    'DELETE /invitation/:id deletes the invitation, and its registrations become inactive',
    [
      'contract/invitations#delete-route',
      'contract/invitations#delete-registrations',
      'contract/invitations#delete-404',
    ],
    async (target) => {
      const course = await target.course();
      const [learner, sharer] = [target.learner(), target.learner()];
      const flags = { avoid_duplicate_registrations: 't' };
      const other = await invite(target, [course], flags);
      const { id, name } = await invite(target, [course], flags);
      const both = { learners: [learner, sharer], nodelay: 't' };
      checkStatus(await addLearners(target, { name: other.name, learners: [sharer] }), 200);
      const { messages: _, ...last } = recordOf(await addLearners(target, { name, ...both }));
      checkEqual(recordOf(await remove(target, `/invitation/${id}`)), last, 'the last record');
      checkEqual(await registrationsOf(target, learner), [], 'active registrations');
      checkEqual((await registrationsOf(target, sharer)).length, 1, 'shared registrations');
      checkError(await remove(target, `/invitation/${id}`), 404);
      checkError(await remove(target, '/invitation/unknown'), 404);
      checkError(await addLearners(target, { name, ...both }), 404);
    },
  ),

  transportCase(
    'the seats of a deleted license are gone, and its name is free',
    [
      'contract/invitations#delete-seats',
      'contract/invitations#delete-route',
      'contract/invitations#delete-closed',
    ],
    async (target) => {
      const course = await target.course();
      const { id, name } = await license(target, course, 1);
      checkStatus(await addLearners(target, { name, learners: [target.learner()] }), 200);
      const close = { ...target.realm, enabled: 'f', no_updates_allowed: 't' };
      checkStatus(await target.api.put(`/invitation/${id}.json`, close), 200);
      checkStatus(await remove(target, `/invitation/${id}`), 200);
      const parameters = { ...target.realm, name, license: 't' };
      const license_data = { [course]: { seats_available: 1 } };
      const custom = JSON.stringify({ license_data });
      const course_guids = JSON.stringify([course]);
      const again = { ...parameters, custom, course_guids };
      recordOf(await target.api.post('/invitation.json', again), 201);
      const learner = target.learner();
      checkStatus(await addLearners(target, { name, learners: [learner] }), 200);
      checkEqual((await registrationsOf(target, learner)).length, 1, 'registrations');
    },
  ),

  transportCase(
    'DELETE /template/:id deletes the template, and its name is free',
    [
      'contract/templates#delete-route',
      'contract/templates#delete-404',
      'contract/templates#delete-invitations',
    ],
    async (target) => {
      const name = target.unique('template');
      const { id, record } = await createTemplate(target, name);
      const invitation = await invite(target, [], { invitation_template_id: id });
      checkEqual(recordOf(await remove(target, `/template/${id}`)), record, 'the record');
      checkError(await remove(target, `/template/${id}`), 404);
      checkError(await remove(target, '/template/unknown'), 404);
      const extended = { ...target.realm, api_template: 'extended' };
      const kept = await target.api.get(`/invitation/${invitation.id}.json`, extended);
      checkEqual(String(recordOf(kept)['invitation_template_id']), id, 'invitation_template_id');
      await createTemplate(target, name);
    },
  ),

  transportCase(
    'DELETE /stored_query/:name returns 404 for a built-in and for an unknown query',
    ['contract/stored-queries#delete-404', 'contract/stored-queries#delete-query-scope'],
    async (target) => {
      for (const name of ['completion_by_course', target.unique('query')]) {
        checkError(await remove(target, `/stored_query/${name}`), 404);
        for (const query_scope of ['realm', 'provider']) {
          const query = { ...target.realm, query_scope };
          checkError(await remove(target, `/stored_query/${name}`, query), 404);
        }
      }
      const builtIn = { ...target.realm, query_scope: 'bright' };
      checkError(await remove(target, '/stored_query/completion_by_course', builtIn), 500);
      const run = { ...target.realm, name: 'completion_by_course' };
      checkStatus(await target.api.get('/run.json', run), 200);
    },
  ),

  transportCase(
    'every API key deletes itself, and is not accepted from then on',
    ['contract/api-keys#delete-own', 'contract/api-keys#delete-effect'],
    async (target) => {
      for (const pair of [target.realm, target.application]) {
        for (const more of [{}, { user_email: target.learner() }]) {
          for (const byId of [false, true]) {
            const { access_token, ...key } = await createKey(target, { ...pair, ...more });
            const path = byId ? `/api_key/${String(key['id'])}` : '/api_key';
            const deleted = await remove(target, path, { api_key: String(access_token) });
            checkEqual(recordOf(deleted), key, 'the record');
            await checkRejected(target, access_token);
          }
        }
      }
    },
  ),

  transportCase(
    'realm access deletes the keys of the realm',
    [
      'contract/api-keys#delete-route',
      'contract/api-keys#delete-access',
      'contract/api-keys#delete-404',
    ],
    async (target) => {
      for (const access of [target.realm, await target.realmKey()]) {
        const { access_token, ...key } = await createKey(target);
        const path = `/api_key/${String(key['id'])}`;
        checkEqual(recordOf(await remove(target, path, access)), key, 'the record');
        await checkRejected(target, access_token);
        checkError(await remove(target, path, access), 404);
      }
      checkError(await remove(target, '/api_key/2147483647'), 404);
      checkError(await remove(target, '/api_key'), 401);
      const { id } = await createKey(target);
      const key = await target.userKey(target.learner());
      for (const access of [target.application, await target.applicationKey(), key]) {
        checkError(await remove(target, `/api_key/${String(id)}`, access), 401);
      }
    },
  ),

  conformanceCase(
    'every other delete needs realm access',
    ['contract/access#realm-deletes'],
    async (target) => {
      const course = await target.importCourse('kept');
      const learner = target.learner();
      const registration = await target.register(course, learner);
      const { id: template } = await createTemplate(target, target.unique('template'));
      const { id: invitation } = await invite(target, [course]);
      const key = await target.userKey(learner);
      for (const access of [target.application, await target.applicationKey(), key, {}]) {
        for (const path of [
          `/course/${course}`,
          `/registration/${registration}`,
          `/invitation/${invitation}`,
          `/template/${template}`,
          '/stored_query/completion_by_course',
        ]) {
          checkError(await remove(target, path, access), 401);
        }
      }
      const realmKey = await target.realmKey();
      checkStatus(await remove(target, `/registration/${registration}`, realmKey), 200);
      checkStatus(await remove(target, `/course/${course}`, realmKey), 200);
    },
  ),

  conformanceCase(
    'DELETE takes parameters from its body and the format from the suffix',
    ['contract/parameters#body-form', 'contract/formats#operation-delete'],
    async (target) => {
      const { id } = await createTemplate(target, target.unique('template'));
      const body = new URLSearchParams(target.realm as Record<string, string>);
      const path = `/template/${id}.xml`;
      const deleted = await target.api.send('DELETE', path, { body });
      checkStatus(deleted, 200);
      check(deleted.text.includes('<template>'), 'the response is no XML record');
    },
  ),

  transportCase(
    'a delete that is repeated under its idempotency key returns the first response',
    ['contract/errors#idempotency-key', 'contract/errors#repeated-delete'],
    async (target) => {
      const id = await target.register(await target.course());
      const headers = { 'idempotency-key': target.unique('key') };
      const parts = { query: target.realm, headers };
      const path = `/registration/${id}.json`;
      const first = recordOf(await target.api.send('DELETE', path, parts));
      checkEqual(recordOf(await target.api.send('DELETE', path, parts)), first, 'the response');
      checkError(await target.api.send('DELETE', path, { query: target.realm }), 404);
    },
  ),
];
