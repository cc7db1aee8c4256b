import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureUser } from '@registrar/contracts';
import {
  apiKey,
  email,
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { realmRoles } from './realm-roles.ts';

describe('ensuring the user of an e-mail address', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  it('creates a learner of the realm and keeps the spelling of the address', async () => {
    const address = newEmail();
    const user = await identity.ensureUser(realm, address);
    expect(user.email).toBe(address);
    expect(await identity.memberships(user.userId)).toMatchObject([
      { realmId: realm.realmId, realmRoleId: realmRoles.learner, custom: null },
    ]);
  });

  it('returns the same user ignoring case, with the first spelling', async () => {
    const address = newEmail();
    const first = await identity.ensureUser(realm, address);
    const again = await identity.ensureUser(realm, email(address.toLowerCase()));
    expect(again).toEqual(first);
  });

  it('shows neither the id nor the spelling of a user of another realm', async () => {
    const other = await identity.addRealm('Other');
    const address = newEmail();
    const first = await identity.ensureUser(realm, address);
    const elsewhere = email(address.toUpperCase());
    const ids: number[] = [];
    for (const each of [newEmail(), elsewhere, newEmail()]) {
      const member = await identity.ensureUser(other, each);
      expect(member.email).toBe(each);
      ids.push(member.userId);
    }
    // Each id follows the one before, whether or not another realm has the address.
    expect(ids.map((each) => each - first.userId)).toEqual([1, 2, 3]);
    expect(await identity.ensureUser(realm, elsewhere)).toEqual(first);
    expect(await identity.memberships(first.userId)).toMatchObject([{ realmId: realm.realmId }]);
    const scopeOf = async (of: TestRealm) =>
      identity.resolve(
        apiKey(await identity.createKey(realmPair(of), { userEmail: email(address) })),
      );
    expect((await scopeOf(realm)).user).toEqual({ id: first.userId, email: address });
    expect((await scopeOf(other)).user).toEqual({ id: ids[1], email: elsewhere });
    expect(await identity.countUsers(address)).toBe(1);
  });

  it('inserts one user for concurrent requests to two replicas', async () => {
    const address = newEmail();
    const { realmId } = realm;
    const spellings = [address, email(address.toLowerCase()), email(address.toUpperCase())];
    const replies = await Promise.all(
      identity.buses.flatMap((bus) =>
        [...spellings, ...spellings].map((spelling) =>
          bus.request(ensureUser, { realmId, email: spelling }),
        ),
      ),
    );
    expect(new Set(replies.map((reply) => reply.userId)).size).toBe(1);
    expect(await identity.memberships(replies[0]?.userId ?? 0)).toHaveLength(1);
  });

  it('creates no user for an unknown realm', async () => {
    const address = newEmail();
    const unknown = { ...realm, realmId: 1_000_000 };
    await expect(identity.ensureUser(unknown, address)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await identity.countUsers(address)).toBe(0);
  });
});
