import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { Installation, type JsonRecord, recordOf, recordsOf } from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';

const run = promisify(execFile);

/**
 * Drives the API as clients of the service before Registrar do: shell scripts, a PHP client inside of
 * a WordPress plugin, a browser client that speaks JSONP, and a bridge that sells licenses. Their
 * requests are encoded in their own way.
 */
export function describeExistingClients(running: () => RunningSystem): void {
  describe('existing clients', () => {
    let on: Installation;
    let course: string;
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      course = await on.course();
    });

    /** The fields that PHP makes of parameters: nested arrays in brackets. */
    const phpFields = (parameters: JsonRecord): URLSearchParams => {
      const query = new URLSearchParams();
      const add = (name: string, value: unknown): void => {
        if (typeof value !== 'object' || value === null) {
          query.append(name, value === true ? '1' : String(value));
        } else {
          for (const [inner, each] of Object.entries(value)) add(`${name}[${inner}]`, each);
        }
      };
      for (const [name, value] of Object.entries(parameters)) add(name, value);
      return query;
    };
    const httpBuildQuery = (parameters: JsonRecord): string => phpFields(parameters).toString();

    describe('a shell script', () => {
      const curl = async (path: string, ...data: string[]): Promise<unknown> => {
        const form = data.flatMap((field) => ['--data-urlencode', field]);
        const arguments_ = ['--silent', '--globoff', '--fail', ...form];
        const { stdout } = await run('curl', [...arguments_, `${on.facts.base_url}${path}`]);
        return JSON.parse(stdout);
      };
      const realm = () => httpBuildQuery(on.realm);

      it('runs a query under its former path, without a suffix', async () => {
        const learner = on.learner();
        const guid = await on.register(course, learner);
        const rows = (await curl(
          `/stored_query/run?${realm()}&name=bright_completion_matrix_full&guid_prefix=${course}`,
        )) as JsonRecord[];
        expect(rows.map((row) => row[0])).toContain(learner);
        const [registration] = (await curl(
          `/registration?${realm()}&registration_guid=${guid}&include_deleted=t&fields=scorm_cloud_app_id,scorm_cloud_course_id`,
        )) as JsonRecord[];
        expect(Object.keys(registration ?? {})).toEqual([
          ...['scorm_cloud_app_id', 'scorm_cloud_course_id'],
        ]);
      });

      it('registers a learner with the former names of parameters', async () => {
        const created = await curl(
          '/registration.json',
          ...[`realm_guid=${on.facts.realm_guid}`, `realm_secret_key=${on.facts.realm_secret_key}`],
          ...[`course_guid=${course}`, `learner_id=${on.learner()}`, 'check_scorm_cloud=t'],
          ...['first_name=Robin', 'last_name=Læst', 'dont_duplicate=t'],
        );
        expect(created).toMatchObject({ course_guid: course });
      });

      it('merges custom data in brackets notation', async () => {
        const guid = await on.register(course);
        const merge = (more: string) =>
          curl(`/registration/${guid}/gcustom?${realm()}&key=script&${more}`);
        await merge('a[b]=1&list[]=x&list[]=y');
        expect(await merge('a[c]=2')).toMatchObject({
          custom: { script: { a: { b: '1', c: '2' }, list: ['x', 'y'] } },
        });
      });
    });

    describe('a PHP client in a WordPress plugin', () => {
      const site = 'https://www.client.example/wordpress';
      /** GET as the plugin sends it: the access mode after the parameters, and `.json?`. */
      const callApi = (path: string, parameters: JsonRecord, access: JsonRecord = on.realm) =>
        on.api.send('GET', `/${path}.json?${httpBuildQuery({ ...parameters, ...access })}`, {});
      /** POST as PHP's curl sends an array: a multipart form. */
      const post = (path: string, parameters: JsonRecord) => {
        const body = new FormData();
        for (const [name, value] of phpFields(parameters)) body.append(name, value);
        return on.api.send('POST', `/${path}.json?`, { body });
      };

      it('stores attributes of a user by site as JSON text', async () => {
        const email = on.learner();
        recordOf(await post('realm_user', { ...on.realm, email, custom: '{"badge":7}' }), 201);
        const attributes = { first_name: 'Zoë', roles: ['editor'], meta: { level: 3 } };
        const sent = { email, key: 'hostdata', php_json_encoded: '1' };
        const store = async (name: string, value: unknown) =>
          recordOf(await callApi('realm_user/gcustom', { [name]: JSON.stringify(value), ...sent }));
        await store(site, attributes);
        await store('https://other.example', { roles: [] });
        const user = await store(site, { meta: { seen: null } });
        expect(JSON.parse(String(user['custom']))).toEqual({
          badge: 7,
          hostdata: {
            [site]: { ...attributes, meta: { level: 3, seen: null } },
            'https://other.example': { roles: [] },
          },
        });
      });

      it('shows reports by the position of columns, with the attributes of a shortcode', async () => {
        const learner = on.learner();
        await on.register(course, learner);
        const accessToken = (await on.userKey(learner))['api_key'];
        const shortcode = {
          name: 'bright_completion_matrix',
          query_scope: 'bright',
          guid_prefix: course,
          headers: 'Learner,Course',
          filters: '',
          fields: 6,
          pagesize: 25,
          first_name: 'Ann',
          last_name: 'Lee',
          host_url: site,
          hosturl: 'client.example',
        };
        const rows = recordsOf(await callApi('stored_query/run', shortcode, { accessToken }));
        expect(rows.map((row) => [0, 1, 2, 3, 4, 5].map((position) => row[position]))).toEqual([
          [learner, expect.any(String), 'unknown', 'unknown', null, null],
        ]);
        expect(recordOf(await callApi('util/reportage_urls', {}, { accessToken }))).toEqual({});
      });

      it('completes an e-mail address', async () => {
        const email = on.learner();
        await on.register(course, email);
        for (const name of ['q', 'term']) {
          const found = await callApi('realm_user/autocomplete', { [name]: email.slice(0, -4) });
          expect(JSON.parse(found.text)).toEqual([email]);
        }
      });
    });

    describe('a browser client that speaks JSONP', () => {
      /** Runs the script of a response as a browser does, and returns the argument of the callback. */
      const jsonp = async (path: string, parameters: JsonRecord): Promise<unknown> => {
        const given = { ...parameters, callback: 'jQuery_1.done', _: '1700000000000' };
        const response = await on.api.send('GET', `${path}?${httpBuildQuery(given)}`, {});
        expect(response).toMatchObject({ status: 200, type: 'application/javascript' });
        const calls: unknown[] = [];
        runInNewContext(response.text, {
          jQuery_1: { done: (value: unknown) => calls.push(value) },
        });
        expect(calls).toHaveLength(1);
        return JSON.parse(JSON.stringify(calls[0]));
      };

      it('renews its key, which keeps its token', async () => {
        const accessToken = (await on.userKey(on.learner()))['api_key'];
        const renewed = (await jsonp('/api_key/renew', { accessToken })) as JsonRecord;
        expect(renewed['access_token']).toBe(accessToken);
        expect(Date.parse(String(renewed['expires_at']))).toBeGreaterThan(Date.now());
      });

      it('merges custom data of its own user and registrations only', async () => {
        const [learner, other] = [on.learner(), on.learner()];
        const guid = await on.register(course, learner);
        const otherGuid = await on.register(course, other);
        const accessToken = (await on.userKey(learner))['api_key'];
        const data = { accessToken, key: 'browser', player: { volume: 3, tracks: ['a', 'b'] } };
        const stored = { browser: { player: { volume: '3', tracks: ['a', 'b'] } } };
        const user = (await jsonp('/realm_user/gcustom', {
          ...data,
          email: learner,
        })) as JsonRecord;
        expect(JSON.parse(String(user['custom']))).toEqual(stored);
        expect(await jsonp(`/registration/${guid}/gcustom`, data)).toMatchObject({
          custom: stored,
        });
        const statusOf = async (path: string, more: JsonRecord = {}) =>
          (await on.api.send('GET', `${path}?${httpBuildQuery({ ...data, ...more })}`, {})).status;
        expect(await statusOf('/realm_user/gcustom', { email: other })).toBe(401);
        expect(await statusOf(`/registration/${otherGuid}/gcustom`)).toBe(404);
      });

      it('draws a chart of registrations by course', async () => {
        await on.register(course);
        const { api_key: accessToken } = await on.realmKey();
        const query = { accessToken, name: 'registrations_by_course_for_realm' };
        const rows = (await jsonp('/stored_query/run', {
          ...query,
          query_scope: 'bright',
        })) as JsonRecord[];
        const ours = rows.find(({ course_guid }) => course_guid === course);
        expect(ours).toMatchObject({ title: expect.any(String) });
        expect(Number(ours?.['num_registrations'])).toBeGreaterThan(0);
      });
    });

    describe('a license bridge', () => {
      it('sells a license, redeems its key and reports on it', async () => {
        const license_data = { [course]: { seats_available: 2 } };
        const order = { license: true, order_id: 4711, initiating_user: 'buyer@example.com' };
        const body = new FormData();
        const parameters = {
          ...on.realm,
          license: true,
          course_guids: JSON.stringify([course]),
          license_data: JSON.stringify(license_data),
          custom: JSON.stringify(order),
        };
        for (const [name, value] of phpFields(parameters)) body.append(name, value);
        const license = recordOf(await on.api.send('POST', '/invitation.json?', { body }), 201);
        const name = String(license['name']);
        expect(JSON.parse(String(license['custom']))).toEqual({ ...order, license_data });

        const learner = on.learner();
        const added = recordOf(
          await on.api.get('/invitation/add_learners.json', {
            ...on.realm,
            name,
            learners: JSON.stringify([learner]),
            nodelay: '1',
            api_template: 'extended',
          }),
        );
        expect(added['messages']).toEqual([expect.stringContaining(`${learner} was added`)]);

        const report = async (query: string, more: Record<string, string>) =>
          recordsOf(
            await on.api.get('/stored_query/run.json', {
              ...on.realm,
              name: query,
              query_scope: 'bright',
              ...more,
            }),
          );
        const matrix = await report('invitation_completion_matrix', { invitation_name: name });
        expect(matrix).toMatchObject([{ 0: learner, 2: 'unknown', 3: 'unknown' }]);
        const keys = await report('getLicenseKeysForUser', { email: 'buyer@example.com' });
        expect(keys).toContainEqual(
          expect.objectContaining({ 0: name, order_id: '4711', seats_available: 1, seats_used: 1 }),
        );
      });
    });
  });
}
