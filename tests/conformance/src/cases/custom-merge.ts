import { check, checkEqual, checkError, checkStatus, recordOf } from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

/** Merges into the custom data of a new user of the realm. */
async function newUser(target: Installation, custom = '') {
  const email = target.learner();
  const created = await target.api.post('/realm_user.json', { ...target.realm, email, custom });
  const id = String(recordOf(created, 201)['id']);
  const merge = (parameters: Parameters) =>
    target.api.get('/realm_user/gcustom.json', {
      ...target.realm,
      email,
      key: 'client',
      ...parameters,
    });
  const merged = async (parameters: Parameters): Promise<unknown> =>
    JSON.parse(String(recordOf(await merge(parameters))['custom']));
  return { email, id, merge, merged };
}

/** Merging parameters into custom data (contract/parameters#custom-merge). */
export const customMergeCases = [
  conformanceCase(
    'gcustom merges parameters in brackets notation below key',
    [
      'contract/parameters#custom-key',
      'contract/parameters#custom-brackets',
      'contract/parameters#custom-objects',
      'contract/realm-users#gcustom-routes',
      'contract/realm-users#gcustom-user',
    ],
    async (target) => {
      const { id, email, merged } = await newUser(target, '{"kept":true}');
      await merged({ 'a[b]': '1', 'a[list][]': ['x', 'y'], plain: 'old' });
      checkEqual(
        await merged({ 'a[c]': '2', 'a[list][]': 'z', plain: 'new' }),
        { kept: true, client: { a: { b: '1', c: '2', list: ['z'] }, plain: 'new' } },
        'custom',
      );
      const byId = { ...target.realm, id, key: 'client', plain: 'newer' };
      recordOf(await target.api.post('/realm_user/gcustom.json', byId));
      checkStatus(await target.api.post('/realm_user/gcustom.json', { ...byId, email }), 500);
    },
  ),

  conformanceCase(
    'gcustom merges JSON text with php_json_encoded',
    ['contract/parameters#custom-json', 'contract/parameters#custom-objects'],
    async (target) => {
      const { merge, merged } = await newUser(target);
      const php_json_encoded = '1';
      const name = 'https://client.example/a.b';
      await merged({ php_json_encoded, [name]: '{"a":{"b":1},"list":[1,2]}' });
      checkEqual(
        await merged({ php_json_encoded, [name]: '{"a":{"c":null},"list":[]}' }),
        { client: { [name]: { a: { b: 1, c: null }, list: [] } } },
        'custom',
      );
      checkError(await merge({ php_json_encoded, broken: '{"a":' }), 500);
    },
  ),

  conformanceCase(
    'gcustom returns 500 beyond its limits, and without key',
    ['contract/parameters#custom-limits', 'contract/parameters#custom-key'],
    async (target) => {
      const { email, merge, merged } = await newUser(target);
      const deep = (levels: number) => `a${'[b]'.repeat(levels)}`;
      await merged({ [deep(10)]: '1' });
      const php_json_encoded = '1';
      for (const wrong of [
        { [deep(11)]: '1' },
        { php_json_encoded, a: `${'['.repeat(12)}${']'.repeat(12)}` },
        { php_json_encoded, a: JSON.stringify(Array.from({ length: 5001 }, () => 0)) },
        { '__proto__[polluted]': '1' },
        { 'a[__proto__][polluted]': '1' },
        { php_json_encoded, a: '{"__proto__":{"polluted":1}}' },
        { key: '__proto__', a: '1' },
        { key: '', a: '1' },
      ]) {
        checkError(await merge(wrong), 500);
      }
      const long = { ...target.realm, email, key: 'client', long: 'x'.repeat(65_536) };
      checkError(await target.api.post('/realm_user/gcustom.json', long), 500);
      const withoutKey = { ...target.realm, email, a: '1' };
      checkError(await target.api.get('/realm_user/gcustom.json', withoutKey), 500);
    },
  ),

  conformanceCase(
    'gcustom returns 500 when custom is no JSON object',
    ['contract/parameters#custom-not-object'],
    async (target) => {
      for (const custom of ['any text', '[1]', '7']) {
        const { merge } = await newUser(target, custom);
        checkError(await merge({ a: '1' }), 500);
      }
    },
  ),

  transportCase(
    'concurrent merges into the custom data of one user lose nothing',
    ['contract/parameters#custom-objects'],
    async (target) => {
      const { merge, merged } = await newUser(target);
      const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
      const responses = await Promise.all(names.map((name) => merge({ [name]: name })));
      responses.forEach((response) => checkStatus(response, 200));
      const { client } = (await merged({ last: '1' })) as { client: Record<string, unknown> };
      checkEqual(Object.keys(client).toSorted(), ['last', ...names], 'the members');
    },
  ),

  conformanceCase(
    'realm_user gcustom with a user-bound key reaches its own user only',
    [
      'contract/realm-users#gcustom-access',
      'contract/realm-users#gcustom-user',
      'contract/realm-users#gcustom-404',
      'contract/access#user-key-administration',
    ],
    async (target) => {
      const [own, other] = [await newUser(target), await newUser(target)];
      const key = await target.userKey(own.email);
      const merge = (more: Parameters, access = key) =>
        target.api.get('/realm_user/gcustom.json', { ...access, key: 'k', a: '1', ...more });
      for (const more of [{}, { email: own.email.toUpperCase() }, { id: own.id }]) {
        checkEqual(String(recordOf(await merge(more))['id']), own.id, 'the id of the user');
      }
      checkError(await merge({ email: other.email }), 401);
      checkError(await merge({ id: other.id }), 401);
      checkError(await merge({ email: target.learner() }), 401);
      checkError(await merge({ email: target.learner() }, target.realm), 404);
      checkError(await merge({}, target.realm), 404);
      checkError(await merge({ email: own.email }, target.application), 401);
    },
  ),

  transportCase(
    'registration gcustom merges into the registrations in reach',
    ['contract/registrations#gcustom-routes', 'contract/registrations#gcustom-404'],
    async (target) => {
      const learner = target.learner();
      const guid = await target.register(await target.course(), learner);
      const path = `/registration/${guid}/gcustom.json`;
      const parameters = { ...target.realm, key: 'client', 'a[b]': '1' };
      checkStatus(await target.api.get(path, parameters), 200);
      const more = { ...(await target.userKey(learner)), key: 'client', 'a[c]': '2' };
      checkEqual(
        recordOf(await target.api.post(path, more))['custom'],
        { client: { a: { b: '1', c: '2' } } },
        'custom',
      );
      const other = { ...more, ...(await target.userKey(target.learner())) };
      checkError(await target.api.get(path, other), 404);
      checkError(await target.api.get('/registration/none/gcustom.json', parameters), 404);
    },
  ),

  transportCase(
    'realm_user autocomplete finds addresses by a text, with realm access only',
    [
      'contract/realm-users#autocomplete-route',
      'contract/realm-users#autocomplete-response',
      'contract/realm-users#autocomplete-limit',
    ],
    async (target) => {
      const { email } = await newUser(target, `{"nickname":"${target.unique('nick')}"}`);
      const path = '/realm_user/autocomplete';
      const find = async (parameters: Parameters): Promise<unknown> =>
        JSON.parse((await target.api.get(`${path}.json`, { ...target.realm, ...parameters })).text);
      const part = email.slice(0, -5);
      checkEqual(await find({ q: part.toUpperCase() }), [email], 'by the address');
      checkEqual(await find({ term: part }), [email], 'by term');
      checkEqual(await find({ q: target.unique('none') }), [], 'for an unknown text');
      const all = (await find({})) as string[];
      check(all.length > 0 && all.length <= 100, `${all.length} addresses`);
      const csv = await target.api.get(`${path}.csv`, { ...target.realm, q: part });
      check(csv.text.includes(email), 'CSV does not show the address');
      const key = await target.userKey(email);
      checkError(await target.api.get(`${path}.json`, { ...key, q: part }), 401);
    },
  ),

  conformanceCase(
    'util/reportage_urls returns an empty object',
    ['contract/formats#reportage-urls'],
    async (target) => {
      const path = '/util/reportage_urls.json';
      checkEqual(recordOf(await target.api.get(path, target.realm)), {}, 'the record');
      checkError(await target.api.get(path, {}), 401);
    },
  ),
];
