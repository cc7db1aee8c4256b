import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  autocompleteRealmUsers,
  createRealmUser,
  mergeCustom,
  mergeRealmUserCustom,
  type RealmUserRecord,
} from '@registrar/contracts';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

describe('custom data of realm users', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let scope: AccessScope;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    scope = await identity.resolve(realmPair(realm));
  });
  afterAll(() => identity.stop());

  const create = (custom: string | null = null) =>
    identity.bus.request(createRealmUser, { scope, email: newEmail(), custom, realmRoleId: null });
  const merge = (id: number, values: Record<string, string>, bus = identity.bus, by = scope) =>
    bus.request(mergeRealmUserCustom, {
      scope: by,
      user: { by: 'id', id },
      key: 'client',
      values,
    });
  const customOf = ({ custom }: RealmUserRecord): unknown => JSON.parse(custom ?? '');

  it('keeps the values of concurrent merges of two replicas', async () => {
    const { id } = await create('{"other":1}');
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`);
    await Promise.all(
      names.map((name, index) => merge(id, { [name]: name }, identity.buses[index % 2])),
    );
    const all = Object.fromEntries(names.map((name) => [name, name]));
    expect(customOf(await merge(id, {}))).toEqual({ other: 1, client: all });
  });

  it('custom data of realm users are not changed when they are no JSON object, or would become too long', async () => {
    for (const custom of ['text', '[]', '"a"']) {
      const { id } = await create(custom);
      await expect(merge(id, { a: '1' })).rejects.toMatchObject({ code: 'invalid' });
    }
    const { id } = await create();
    await merge(id, { a: 'x'.repeat(60_000) });
    await expect(merge(id, { b: 'x'.repeat(6_000) })).rejects.toMatchObject({ code: 'invalid' });
    expect(customOf(await merge(id, { a: '1' }))).toEqual({ client: { a: '1' } });
  });

  it('custom data of realm users are merged by a user-bound key for its own user, in no other realm', async () => {
    const [own, other] = [await create(), await create()];
    const userEmail = own.email as Parameters<IdentityFixture['ensureUser']>[1];
    const bound = await identity.resolve(
      apiKey(await identity.createKey(realmPair(realm), { userEmail })),
    );
    const by = (id: number, access = bound) => merge(id, { a: '1' }, identity.bus, access);
    expect(customOf(await by(own.id))).toEqual({ client: { a: '1' } });
    await expect(by(other.id)).rejects.toMatchObject({ code: 'unauthenticated' });
    const elsewhere = await identity.resolve(realmPair(await identity.addRealm('Other')));
    await expect(by(own.id, elsewhere)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('custom data of realm users are merged into a new user by the realm pair alone, in a realm that serves the clients of Bright', async () => {
    const compatibility = { clients: 'bright', userLicenses: false } as const;
    const key = await identity.resolve(apiKey(await identity.createKey(realmPair(realm))));
    const mergeAs = (by: AccessScope, email = newEmail()) =>
      identity.bus.request(mergeRealmUserCustom, {
        scope: by,
        user: { by: 'email', email },
        key: null,
        values: { a: '1' },
      });
    const created = await mergeAs({ ...scope, compatibility });
    expect(created).toMatchObject({ realm_role_id: 1, custom: '{"a":"1"}' });
    for (const by of [scope, { ...key, compatibility }]) {
      await expect(mergeAs(by)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  it('custom data and addresses are found by a part of them, in their own realm only', async () => {
    const { email } = await create('{"city":"Lübeck 100%"}');
    const find = async (text: string, by = scope) =>
      (await identity.bus.request(autocompleteRealmUsers, { scope: by, text })).emails;
    expect(await find(email.slice(2, -3).toUpperCase())).toEqual([email]);
    expect(await find('lübeck 100%')).toEqual([email]);
    expect(await find('l_beck')).toEqual([]);
    const elsewhere = await identity.resolve(realmPair(await identity.addRealm('Third')));
    expect(await find(email, elsewhere)).toEqual([]);
  });
});

describe('mergeCustom', () => {
  const parse = (text: string) => JSON.parse(text) as never;

  it('changes no prototype', () => {
    const values = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const merged = mergeCustom(parse('{"k":{"constructor":{"a":1}}}'), { key: 'k', values });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(merged['k'])).toBe(Object.prototype);
    expect(JSON.stringify(merged)).toBe(
      '{"k":{"constructor":{"a":1,"prototype":{"polluted":1}},"__proto__":{"polluted":1}}}',
    );
  });

  it('replaces values that are no objects', () => {
    const custom = parse('{"k":[1],"l":{"a":[1,2]}}');
    expect(mergeCustom(custom, { key: 'k', values: { b: 1 } })).toEqual({
      k: { b: 1 },
      l: { a: [1, 2] },
    });
    expect(mergeCustom(custom, { key: 'l', values: { a: [3] } })).toMatchObject({ l: { a: [3] } });
  });
});
