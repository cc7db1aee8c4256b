import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureUser } from '@registrar/contracts';
import {
  email,
  type IdentityFixture,
  newEmail,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { realmRoles } from './realm-roles.ts';
import { RealmUser } from './realm-user.entity.ts';
import { User } from './user.entity.ts';

describe('ensuring the user of an e-mail address', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const memberships = (userId: number) =>
    identity.repository(RealmUser).find({ where: { userId }, order: { id: 'ASC' } });

  it('creates a learner of the realm and keeps the spelling of the address', async () => {
    const address = newEmail();
    const user = await identity.ensureUser(realm, address);
    expect(user.email).toBe(address);
    expect(await memberships(user.userId)).toMatchObject([
      { realmId: realm.realmId, realmRoleId: realmRoles.learner, custom: null },
    ]);
  });

  it('returns the same user ignoring case, with the first spelling', async () => {
    const address = newEmail();
    const first = await identity.ensureUser(realm, address);
    const again = await identity.ensureUser(realm, email(address.toLowerCase()));
    expect(again).toEqual(first);
  });

  it('makes an existing user a user of another realm', async () => {
    const other = await identity.addRealm('Other');
    const address = newEmail();
    const { userId } = await identity.ensureUser(realm, address);
    expect((await identity.ensureUser(other, address)).userId).toBe(userId);
    expect(await memberships(userId)).toMatchObject([
      { realmId: realm.realmId },
      { realmId: other.realmId },
    ]);
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
    expect(await memberships(replies[0]?.userId ?? 0)).toHaveLength(1);
  });

  it('creates no user for an unknown realm', async () => {
    const address = newEmail();
    const unknown = { ...realm, realmId: 1_000_000 };
    await expect(identity.ensureUser(unknown, address)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await identity.repository(User).existsBy({ email: address })).toBe(false);
  });
});
