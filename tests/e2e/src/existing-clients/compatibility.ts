import { beforeAll, describe, expect, it } from 'vitest';
import {
  fetchLaunch,
  form,
  type JsonRecord,
  onlyRecordOf,
  type Parameters,
  recordOf,
  recordsOf,
  textOf,
} from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import { RealmOfClients } from './realm-of-clients.ts';

/**
 * Checks what a realm with the setting `--compatibility bright` serves otherwise than the contract, and that a realm
 * without it does not (contract/compatibility).
 */
export function describeCompatibility(running: () => RunningSystem): void {
  describe('a realm that serves the clients of Bright', () => {
    let bright: RealmOfClients;
    let plain: RealmOfClients;
    beforeAll(async () => {
      bright = await RealmOfClients.create(running());
      plain = await RealmOfClients.create(running());
      await bright.set({ clients: 'bright' });
    });

    it('a realm serves the clients of Bright as soon as a change of the setting has reached the gateway', async () => {
      const realm = await RealmOfClients.create(running());
      const status = async () =>
        (await realm.api.get('/course', { ...realm.realm, format: 'js' })).status;
      expect(await status()).toBe(406);
      await realm.set({ clients: 'bright' });
      await eventually('the realm has the format', async () => (await status()) === 200);
      await realm.set({ clients: 'none' });
      await eventually('the realm has it no more', async () => (await status()) === 406);
    });

    it('the format js is JSONP with a callback and JSON without in a realm of Bright, and 406 in others', async () => {
      const course_guid = await bright.course();
      for (const [path, format] of [
        ['/course', 'js'],
        ['/course.js', undefined],
        ['/course.json', 'js'],
      ] as const) {
        const asked = { format, course_guid, fields: 'course_guid' };
        const json = await bright.api.get(path, { ...bright.realm, ...asked });
        expect(json).toMatchObject({ type: 'application/json' });
        expect(recordsOf(json)).toEqual([{ course_guid }]);
        const script = { ...bright.realm, ...asked, callback: 'jQuery_1.done' };
        expect(await bright.api.get(path, script)).toMatchObject({
          status: 200,
          type: 'application/javascript',
          text: `/**/jQuery_1.done([{"course_guid":"${course_guid}"}]);`,
        });
        expect(await plain.api.get(path, { ...plain.realm, ...asked })).toMatchObject({
          status: 406,
          text: '',
        });
        for (const wrong of [{}, { ...plain.realm, realm_secret_key: 'wrong' }]) {
          expect((await plain.api.get(path, { ...wrong, format })).status).toBe(401);
        }
      }
    });

    it('expires_at of an API key has milliseconds and its token 32 characters in a realm of Bright alone', async () => {
      const create = async (on: RealmOfClients, more: Parameters = {}) =>
        recordOf(await on.api.post('/api_key.json', { ...on.realm, ...more }), 201);
      const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
      for (const [more, prefix] of [
        [{ user_email: bright.learner() }, 'rgu_'],
        [{}, 'rgk_'],
      ] as const) {
        const key = await create(bright, more);
        expect(key['expires_at']).toMatch(milliseconds);
        expect(key['created_at']).not.toMatch(milliseconds);
        const token = textOf(key, 'access_token');
        expect(token).toHaveLength(32);
        expect(token.startsWith(prefix)).toBe(true);
        const renewed = recordOf(
          await bright.api.get('/api_key/renew.json', { accessToken: token }),
        );
        expect(renewed).toMatchObject({
          access_token: token,
          expires_at: expect.stringMatching(milliseconds) as unknown,
        });
      }
      const key = await create(plain);
      expect(key['expires_at']).not.toMatch(milliseconds);
      expect(textOf(key, 'access_token')).toHaveLength(47);
    });

    it('a realm pair beside another mode decides the access of a new API key in a realm of Bright, and the provider pair its application', async () => {
      const providers = recordsOf(await bright.api.get('/course_provider.json', bright.realm));
      const idOf = ({ sc_app_id }: Parameters) =>
        providers.find((each) => each['sc_app_id'] === sc_app_id)?.['id'];
      const user_email = bright.learner();
      const create = (on: RealmOfClients, more: Parameters) =>
        on.api.post('/api_key.json', { ...on.realm, user_email, ...more });
      for (const pair of [bright.application, bright.otherApplication]) {
        const key = recordOf(await create(bright, pair), 201);
        expect(key).toMatchObject({ course_provider_id: idOf(pair), user_id: expect.any(Number) });
      }
      const { api_key } = await bright.realmKey();
      const withKey = recordOf(await create(bright, { api_key }), 201);
      expect(withKey).toMatchObject({ course_provider_id: null });
      expect((await create(bright, plain.application)).status).toBe(401);
      expect((await create(bright, { ...bright.application, api_key })).status).toBe(501);
      expect((await create(plain, plain.application)).status).toBe(501);
      expect((await create(plain, await plain.realmKey())).status).toBe(501);
      // Other operations have one mode in every realm.
      const both = { ...bright.realm, ...bright.application };
      expect((await bright.api.get('/course.json', both)).status).toBe(501);
    });

    it('the course index shows a user-bound key arrays of registrations in every template in a realm of Bright', async () => {
      const course_guid = await bright.course();
      const other_guid = await bright.importCourse('other');
      const learner = bright.learner();
      const registration_guid = await bright.register(course_guid, learner);
      const access = await bright.accessToken(learner);
      const courses = async (more: Parameters) =>
        new Map((await bright.coursesOf(access, more)).map((each) => [each['course_guid'], each]));
      for (const api_template of [undefined, 'public', 'public_minimum', 'extended']) {
        const shown = await courses({ api_template });
        expect(shown.get(other_guid)).toMatchObject({ registrations: [] });
        const course = shown.get(course_guid);
        expect(course).toMatchObject({ custom: null, title: expect.any(String) });
        expect(JSON.parse(String(course?.['metadata']))).toHaveProperty('title');
        expect(course?.['registrations']).toEqual([
          expect.objectContaining({
            registration_guid,
            custom: null,
            attempts: expect.any(Number) as unknown,
            totaltime: expect.any(Number) as unknown,
            provider_completed_at: null,
            provider_accessed_at: null,
            complete: 'unknown',
          }),
        ]);
      }
      const without = (await courses({ api_template: 'no_registrations' })).get(course_guid);
      expect(without).toMatchObject({ course_guid, custom: null });
      expect(without).not.toHaveProperty('registrations');
      const some = await bright.coursesOf(access, {
        course_guid,
        fields: 'title,registrations.registration_guid',
      });
      expect(some).toEqual([{ title: expect.any(String), registrations: [{ registration_guid }] }]);
      const asXml = await bright.api.get('/course.xml', {
        ...access,
        course_guid,
        fields: 'title,registrations.registration_guid',
      });
      expect(asXml.text).toContain(
        `<registrations type="array"><registration><registration-guid>${registration_guid}<`,
      );
      const asCsv = await bright.api.get('/course.csv', {
        ...access,
        course_guid,
        fields: 'registrations.registration_guid',
      });
      expect(asCsv.text).toContain(`[{""registration_guid"":""${registration_guid}""}]`);
    });

    it('the course index keeps its form for other access, and in other realms', async () => {
      const course_guid = await bright.course();
      const [ofRealm] = await bright.coursesOf(bright.realm, { course_guid });
      expect(ofRealm).toMatchObject({ registrations: expect.any(Number) });
      const wrong = { ...bright.realm, api_template: 'no_registrations' };
      expect((await bright.api.get('/course.json', wrong)).status).toBe(500);
      const learner = plain.learner();
      const plainCourse = await plain.course();
      await plain.register(plainCourse, learner);
      const access = await plain.accessToken(learner);
      const one = { course_guid: plainCourse };
      expect(await plain.coursesOf(access, one)).toMatchObject([{ registrations: 1 }]);
      const nested = await plain.coursesOf(access, { ...one, include_registrations: 't' });
      expect(nested).toMatchObject([{ registrations: { learner_id: learner } }]);
      expect(nested[0]).not.toHaveProperty('metadata');
      const unknown = { ...access, api_template: 'no_registrations' };
      expect((await plain.api.get('/course.json', unknown)).status).toBe(500);
    });

    it('the way back from a launch names the registration in a realm of Bright alone', async () => {
      /** The link of the page that a launch URL shows when it is opened a second time. */
      const wayBack = async (on: RealmOfClients, guid: string, redirect_url: string) => {
        const asked = { ...on.realm, redirect_url };
        const launched = recordOf(await on.api.get(`/registration/${guid}/launch_url.json`, asked));
        const url = textOf(launched, 'launch_url');
        // The window that it opens has used it up.
        await (await fetchLaunch(url)).text();
        const page = await (await fetchLaunch(url, { redirect: 'manual' })).text();
        return /href="(https:\/\/client\.example[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      };
      const guid = await bright.register(await bright.course());
      const launched = `bright_redirect_from_launch=${guid}`;
      const site = 'https://client.example';
      expect(await wayBack(bright, guid, `${site}/page`)).toBe(`${site}/page?${launched}`);
      expect(await wayBack(bright, guid, `${site}/page?a=1#top`)).toBe(
        `${site}/page?a=1&${launched}#top`,
      );
      const path = `/registration/${guid}/launch_url.json`;
      const tooLong = { ...bright.realm, redirect_url: `${site}/${'x'.repeat(1_970)}` };
      expect((await bright.api.get(path, tooLong)).status).toBe(500);
      const plainGuid = await plain.register(await plain.course());
      expect(await wayBack(plain, plainGuid, `${site}/page?a=1#top`)).toBe(`${site}/page?a=1#top`);
    });

    it('a user-bound key updates custom of its own realm user in a realm of Bright alone', async () => {
      const update = async (on: RealmOfClients, access: Parameters, more: Parameters) =>
        on.api.get('/realm_user/gupdate.json', { ...access, custom: '{"a":1}', ...more });
      const [learner, other] = [bright.learner(), bright.learner()];
      for (const email of [learner, other]) {
        recordOf(await bright.api.post('/realm_user.json', { ...bright.realm, email }), 201);
      }
      const access = await bright.accessToken(learner);
      for (const more of [{}, { email: learner }]) {
        const user = recordOf(await update(bright, access, more));
        expect(user).toMatchObject({ email: learner, custom: '{"a":1}' });
      }
      for (const more of [{ email: other }, { realm_role_id: '2' }]) {
        expect((await update(bright, access, more)).status).toBe(401);
      }
      const plainLearner = plain.learner();
      const plainAccess = await plain.accessToken(plainLearner);
      expect((await update(plain, plainAccess, { email: plainLearner })).status).toBe(401);
    });

    it('a user-bound key reads its own licenses and completion in a realm of Bright alone', async () => {
      const buyer = bright.learner();
      const [learner, other] = [bright.learner(), bright.learner()];
      const sell = async (on: RealmOfClients) => {
        const course_guid = await on.course();
        const license = await on.createInvitation({
          license: 't',
          course_guids: JSON.stringify([course_guid]),
          license_data: JSON.stringify({ [course_guid]: { seats_available: 3 } }),
          custom: JSON.stringify({ order_id: 7, initiating_user: buyer }),
        });
        const name = textOf(license, 'name');
        const learners = JSON.stringify([learner, other]);
        const added = await on.api.get('/invitation/add_learners.json', {
          ...on.realm,
          name,
          learners,
        });
        recordOf(added);
        return name;
      };
      const run = async (on: RealmOfClients, access: Parameters, more: Parameters) => {
        const query = { query_scope: 'bright', host_url: 'https://client.example', ...more };
        return recordsOf(await on.api.get('/stored_query/run.json', { ...access, ...query }));
      };
      const name = await sell(bright);
      const title = String(
        onlyRecordOf(
          await bright.api.get('/course.json', {
            ...bright.realm,
            course_guid: await bright.course(),
          }),
        )['title'],
      );
      const keys = { name: 'getLicenseKeysForUser' };
      const matrix = { name: 'invitation_completion_matrix', invitation_name: name };
      for (const email of [buyer, learner]) {
        const access = await bright.accessToken(email);
        await eventually('enrolment has the title of the course', async () => {
          const rows = await run(bright, access, keys);
          expect(rows).toMatchObject([{ 0: name, 1: '7', 2: buyer, 3: title }]);
          return true;
        });
      }
      const own = await run(bright, await bright.accessToken(learner), matrix);
      expect(own).toMatchObject([{ 0: learner, 1: title }]);
      const stranger = await bright.accessToken(bright.learner());
      expect(await run(bright, stranger, { ...keys, email: buyer })).toEqual([]);
      expect(await run(bright, stranger, matrix)).toEqual([]);
      const plainName = await sell(plain);
      const plainKey = await plain.accessToken(learner);
      expect(await run(plain, plainKey, keys)).toEqual([]);
      expect(await run(plain, plainKey, { ...matrix, invitation_name: plainName })).toEqual([]);
      // Without a user, the position of the titles is the same in every realm.
      await eventually('enrolment has the title of the course', async () => {
        const rows = await run(plain, plain.realm, { ...keys, email: learner });
        expect(rows).toMatchObject([{ 0: plainName, 3: title }]);
        return true;
      });
    });

    it('a user-bound key creates licenses, and asks whether an invitation exists, behind a switch', async () => {
      const realm = await RealmOfClients.create(running());
      await realm.set({ clients: 'bright' });
      const course_guid = await realm.course();
      const user = realm.learner();
      const access = await realm.accessToken(user);
      const license: Parameters = {
        license: '1',
        course_guids: JSON.stringify([course_guid]),
        license_data: JSON.stringify({ [course_guid]: { seats_available: 2 } }),
        custom: JSON.stringify({ order_id: 8, initiating_user: user }),
      };
      const create = (more: Parameters = {}) =>
        realm.api.post('/invitation.json', { ...access, ...license, ...more });
      const find = (name?: string) => realm.api.get('/invitation.json', { ...access, name });
      expect((await create()).status).toBe(401);
      expect((await find('any')).status).toBe(401);
      await realm.set({ userLicenses: true });
      await eventually('the switch is on', async () => (await find('any')).status === 200);
      const name = textOf(recordOf(await create(), 201), 'name');
      expect(onlyRecordOf(await find(name))).toEqual({
        id: expect.any(Number) as unknown,
        name,
        enabled: true,
        license: true,
        course_guids: [course_guid],
      });
      expect(recordsOf(await find('none'))).toEqual([]);
      const named = textOf(recordOf(await create({ custom: '{"order_id":9}' }), 201), 'custom');
      expect(JSON.parse(named)).toMatchObject({ order_id: 9, initiating_user: user });
      const ofOther = JSON.stringify({ initiating_user: realm.learner() });
      for (const refused of [
        { license: 'f', name: 'open' },
        { custom: ofOther },
        { 'learners[]': user },
      ]) {
        expect((await create(refused)).status).toBe(401);
      }
      expect((await find()).status).toBe(401);
      expect((await realm.api.get('/invitation/1.json', access)).status).toBe(401);
      const fields = { ...access, name, fields: 'learners' };
      expect((await realm.api.get('/invitation.json', fields)).status).toBe(500);
      const added = { ...access, name, learners: JSON.stringify([user]) };
      expect((await realm.api.get('/invitation/add_learners.json', added)).status).toBe(401);
    });

    it('gcustom of a registration merges at the top level without key in a realm of Bright alone', async () => {
      const merge = async (on: RealmOfClients, method: 'get' | 'post') => {
        const guid = await on.register(await on.course());
        const path = `/registration/${guid}/gcustom.json`;
        await on.api[method](path, { ...on.realm, 'a[b]': '1' });
        return on.api[method](path, { ...on.realm, 'a[c]': '2', d: '3' });
      };
      for (const method of ['get', 'post'] as const) {
        const merged = recordOf(await merge(bright, method));
        expect(merged['custom']).toEqual({ a: { b: '1', c: '2' }, d: '3' });
        expect(await merge(plain, method)).toMatchObject({ status: 500, text: '' });
      }
    });

    it('gcustom of a realm user with a realm pair creates the user in a realm of Bright alone', async () => {
      const merge = (on: RealmOfClients, email: string, access: Parameters = on.realm) =>
        on.api.get('/realm_user/gcustom.json', { ...access, email, key: 'host', a: '1' });
      const email = bright.learner();
      const user = recordOf(await merge(bright, email));
      expect(user).toMatchObject({ email, realm_role_id: 1, custom: '{"host":{"a":"1"}}' });
      expect((await merge(bright, bright.learner(), await bright.realmKey())).status).toBe(404);
      expect((await merge(plain, plain.learner())).status).toBe(404);
    });

    it('invitation create takes course_guid[] and learners[] in a realm of Bright alone', async () => {
      const create = async (on: RealmOfClients) => {
        const learners = [on.learner(), on.learner()];
        const course_guids = [await on.course(), await on.importCourse('listed')];
        const given: Parameters = {
          ...on.realm,
          name: on.unique('listed'),
          'course_guid[]': course_guids,
          'learners[]': learners,
        };
        const body = new FormData();
        for (const [name, value] of form(given)) body.append(name, value);
        return {
          learners,
          course_guids,
          response: await on.api.send('POST', '/invitation.json?', { body }),
        };
      };
      const { learners, course_guids, response } = await create(bright);
      const invitation = recordOf(response, 201);
      expect(invitation).toMatchObject({ course_guids, learners });
      expect(invitation['registration_guids']).toHaveLength(4);
      expect((await create(plain)).response.status).toBe(500);
      const wrong = { ...bright.realm, name: bright.unique('wrong'), 'learners[]': 'nobody' };
      expect((await bright.api.post('/invitation.json', wrong)).status).toBe(500);
    });

    it('add_learners of a member has one message in a realm of Bright, and none in others', async () => {
      const messagesOf = async (on: RealmOfClients) => {
        const learner = on.learner();
        const course_guids = JSON.stringify([await on.course()]);
        const { name } = await on.createInvitation({ name: on.unique('group'), course_guids });
        const learners = JSON.stringify([learner]);
        const asked = { ...on.realm, name: String(name), learners, api_template: 'extended' };
        const add = async () => recordOf(await on.api.get('/invitation/add_learners.json', asked));
        expect((await add())['messages']).toEqual([expect.stringMatching(/^Success! /)]);
        return { learner, messages: (await add())['messages'] };
      };
      const { learner, messages } = await messagesOf(bright);
      expect(messages).toEqual([expect.stringContaining(`${learner} is in the invitation`)]);
      expect((await messagesOf(plain)).messages).toEqual([]);
    });

    it('a registration that dont_duplicate finds has the status 302 and the body in a realm of Bright alone', async () => {
      const createTwice = async (on: RealmOfClients, access: Parameters, more: Parameters = {}) => {
        const course_guid = await on.course();
        const given = { ...access, course_guid, dont_duplicate: '1', ...more };
        const first = await on.api.get('/registration/gcreate.json', given);
        expect(first.status).toBe(201);
        return { first, second: await on.api.get('/registration/gcreate.json', given) };
      };
      const ofBright = async () => bright.accessToken(bright.learner());
      const { first, second } = await createTwice(bright, await ofBright());
      expect(second.status).toBe(302);
      expect(second.headers.has('location')).toBe(false);
      const guidOf = ({ text }: { text: string }) =>
        (JSON.parse(text) as JsonRecord)['registration_guid'];
      expect(guidOf(second)).toBe(guidOf(first));
      expect(JSON.parse(second.text)).not.toHaveProperty('is_duplicate');
      // A browser runs a script only after success.
      const script = await createTwice(bright, await ofBright(), { callback: 'done' });
      expect(script.second).toMatchObject({ status: 201, type: 'application/javascript' });
      const inPlain = await createTwice(plain, await plain.accessToken(plain.learner()));
      expect(inPlain.second.status).toBe(201);
      expect(guidOf(inPlain.second)).toBe(guidOf(inPlain.first));
    });

    it('the registration index with last_only returns 404 without a registration in a realm of Bright alone', async () => {
      const index = async (on: RealmOfClients, more: Parameters) =>
        on.api.get('/registration.json', { ...on.realm, learner_id: on.learner(), ...more });
      expect(await index(bright, { last_only: 't' })).toMatchObject({ status: 404, text: '' });
      expect(recordsOf(await index(bright, {}))).toEqual([]);
      expect(recordsOf(await index(plain, { last_only: 't' }))).toEqual([]);
      const learner_id = bright.learner();
      await bright.register(await bright.course(), learner_id);
      expect(recordsOf(await index(bright, { learner_id, last_only: 't' }))).toHaveLength(1);
    });
  });
}
