import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmailAddress, ensureUsers } from '@registrar/contracts';
import {
  email,
  type IdentityFixture,
  newEmail,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';
import { realmRoles } from './realm-roles.ts';

describe('ensuring the users of many e-mail addresses', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const ensure = async (emails: EmailAddress[], bus = identity.buses[0], { realmId } = realm) => {
    if (!bus) throw new Error('no replica runs');
    return (await bus.request(ensureUsers, { realmId, emails })).users;
  };
  const idsOf = (users: { userId: number }[]) => users.map((user) => user.userId).sort();
  const rolesOf = async (userIds: number[]) => {
    const members = await Promise.all(userIds.map((userId) => identity.memberships(userId)));
    return members.flat().map(({ realmRoleId }) => realmRoleId);
  };

  it('creates one learner of the realm per address, ignoring case', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const known = await identity.ensureUser(realm, one);
    const users = await ensure([two, email(one.toUpperCase()), email(two.toUpperCase())]);
    expect(users).toHaveLength(2);
    expect(users).toContainEqual(known);
    expect(users).toContainEqual({ userId: expect.any(Number), email: two });
    expect(await rolesOf(idsOf(users))).toEqual([realmRoles.learner, realmRoles.learner]);
    expect(idsOf(await ensure([one, two]))).toEqual(idsOf(users));
    expect(await ensure([])).toEqual([]);
  });

  it('makes existing users users of another realm', async () => {
    const other = await identity.addRealm('Other');
    const emails = [newEmail(), newEmail()];
    const here = await ensure(emails);
    const there = idsOf(await ensure(emails, undefined, other));
    expect(new Set([...idsOf(here), ...there]).size).toBe(4);
  });

  it('inserts each user once for concurrent requests in different orders', async () => {
    const emails = Array.from({ length: 500 }, newEmail);
    const replies = await Promise.all(
      [...identity.buses, ...identity.buses].map((bus, index) =>
        ensure(index % 2 ? emails.toReversed() : emails, bus),
      ),
    );
    const ids = idsOf(replies[0] ?? []);
    expect(new Set(ids).size).toBe(500);
    for (const reply of replies) expect(idsOf(reply)).toEqual(ids);
    expect(await rolesOf(ids)).toHaveLength(500);
  });

  it('creates no users for an unknown realm', async () => {
    const address = newEmail();
    const unknown = { ...realm, realmId: 1_000_000 };
    await expect(ensure([address], undefined, unknown)).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await identity.countUsers(address)).toBe(0);
  });
});
