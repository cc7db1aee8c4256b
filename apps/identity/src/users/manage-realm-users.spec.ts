import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  createRealmUser,
  indexRealmUsers,
  type RealmUserRecord,
  realmUserRecord,
  updateRealmUser,
} from '@registrar/contracts';
import {
  apiKey,
  email,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
  type TestApplication,
  type TestRealm,
} from '../identity.fixture.ts';

describe('the users of a realm', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;
  let application: TestApplication;
  let scope: AccessScope;
  let otherScope: AccessScope;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
    application = await identity.addApplication(realm);
    scope = await identity.resolve(realmPair(realm));
    otherScope = await identity.resolve(realmPair(await identity.addRealm('Other')));
  });
  afterAll(() => identity.stop());

  const create = (
    address = newEmail(),
    parts: Partial<InputOf<typeof createRealmUser>> = {},
    bus = identity.bus,
  ): Promise<RealmUserRecord> =>
    bus.request(createRealmUser, {
      scope,
      email: address,
      custom: null,
      realmRoleId: null,
      ...parts,
    });

  const update = (
    user: InputOf<typeof updateRealmUser>['user'],
    parts: Partial<InputOf<typeof updateRealmUser>> = {},
  ): Promise<RealmUserRecord> =>
    identity.bus.request(updateRealmUser, {
      scope,
      user,
      custom: null,
      realmRoleId: null,
      ...parts,
    });

  const index = async (
    address?: string,
    within: AccessScope = scope,
    pageSize?: number,
  ): Promise<RealmUserRecord[]> => {
    const filters = address === undefined ? {} : { email: address };
    const found: RealmUserRecord[] = [];
    const input = { scope: within, filters };
    for await (const { items: page } of identity.bus.pages(indexRealmUsers, input, pageSize)) {
      found.push(...page);
    }
    return found;
  };

  it('the users of a realm are created as learners and found by their address, ignoring case', async () => {
    const address = newEmail();
    const made = await create(address, { custom: '{"a":1}' });
    expect(made).toEqual(realmUserRecord.parse(made));
    expect(made).toMatchObject({
      realm_id: realm.realmId,
      realm_role_id: 1,
      custom: '{"a":1}',
      email: address,
    });
    expect(await index(address.toUpperCase())).toEqual([made]);
    expect(await index('learner@')).toEqual([]);
  });

  it('the users of a realm are listed in pages', async () => {
    await create();
    await create();
    const all = await index();
    expect(all.length).toBeGreaterThan(1);
    expect(await index(undefined, scope, 1)).toEqual(all);
  });

  it('the users of a realm are unchanged by a create with the address of an existing user, ignoring case', async () => {
    const address = newEmail();
    const { userId } = await identity.ensureUser(realm, address);
    await expect(create(email(address.toUpperCase()), { custom: 'x' })).rejects.toMatchObject({
      code: 'unchanged',
    });
    expect(await index(address)).toMatchObject([{ user_id: userId, custom: null }]);
  });

  it('the users of a realm are inserted once by concurrent identical creates in two replicas', async () => {
    const address = newEmail();
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, number) =>
        create(address, {}, identity.buses[number % identity.buses.length]),
      ),
    );
    const failures = results.filter(({ status }) => status === 'rejected');
    expect(failures).toHaveLength(7);
    for (const failure of failures) {
      expect(failure).toMatchObject({ reason: { code: 'unchanged' } });
    }
    expect(await index(address)).toHaveLength(1);
  });

  it('the users of a realm have a role and a custom text per realm', async () => {
    const address = newEmail();
    const here = await create(address, { custom: 'here', realmRoleId: 2 });
    const there = await create(address, { scope: otherScope, custom: 'there' });
    expect(there.user_id).not.toBe(here.user_id);
    expect(await index(address)).toMatchObject([{ custom: 'here', realm_role_id: 2 }]);
    expect(await index(address, otherScope)).toMatchObject([{ custom: 'there', realm_role_id: 1 }]);
  });

  it('the users of a realm are updated by id and by e-mail address, except for null fields', async () => {
    const address = newEmail();
    const made = await create(address);
    const first = await update({ by: 'id', id: made.id }, { custom: 'one' });
    expect(first).toMatchObject({ id: made.id, custom: 'one', realm_role_id: 1, email: address });
    const upper = email(address.toUpperCase());
    const second = await update({ by: 'email', email: upper }, { realmRoleId: 2 });
    expect(second).toMatchObject({ id: made.id, custom: 'one', realm_role_id: 2 });
    expect(await index(address)).toEqual([second]);
  });

  it('the users of a realm are not found in another realm', async () => {
    const { id, email: address } = await create();
    expect(await index(address, otherScope)).toEqual([]);
    for (const user of [
      { by: 'id', id } as const,
      { by: 'email', email: email(address) } as const,
    ]) {
      await expect(update(user, { scope: otherScope, custom: 'x' })).rejects.toMatchObject({
        code: 'not-found',
      });
    }
    await expect(update({ by: 'email', email: newEmail() })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('the users of a realm are accessible only with a realm pair or an unbound API key of the whole realm', async () => {
    const { applicationId } = application;
    const key = await identity.createKey(realmPair(realm));
    const within = await identity.resolve(apiKey(key));
    const made = await create(newEmail(), { scope: within });
    expect(await index(made.email, within)).toEqual([made]);
    const insufficient = [
      providerPair(application),
      apiKey(await identity.createKey(providerPair(application))),
      apiKey(await identity.createKey(realmPair(realm), { applicationId })),
      apiKey(await identity.createKey(realmPair(realm), { userEmail: newEmail() })),
    ];
    const denied = { code: 'unauthenticated' };
    for (const credentials of insufficient) {
      const narrow = await identity.resolve(credentials);
      await expect(index(undefined, narrow)).rejects.toMatchObject(denied);
      await expect(create(newEmail(), { scope: narrow })).rejects.toMatchObject(denied);
      await expect(update({ by: 'id', id: made.id }, { scope: narrow })).rejects.toMatchObject(
        denied,
      );
    }
  });

  it('the users of a realm that serves the clients of Bright change their own custom text by their keys', async () => {
    const [own, other] = [await create(), await create()];
    const key = await identity.createKey(realmPair(realm), { userEmail: email(own.email) });
    const bound = await identity.resolve(apiKey(key));
    const bright = { clients: 'bright', userLicenses: false } as const;
    const scope = { ...bound, compatibility: bright };
    for (const user of [
      { by: 'id', id: own.id } as const,
      { by: 'email', email: email(own.email.toUpperCase()) } as const,
    ]) {
      expect(await update(user, { scope, custom: 'mine' })).toMatchObject({ custom: 'mine' });
    }
    const denied = { code: 'unauthenticated' };
    const ownUser = { by: 'id', id: own.id } as const;
    await expect(update(ownUser, { scope, realmRoleId: 2 })).rejects.toMatchObject(denied);
    await expect(update({ by: 'id', id: other.id }, { scope })).rejects.toMatchObject(denied);
    await expect(update(ownUser, { scope: bound })).rejects.toMatchObject(denied);
  });
});
