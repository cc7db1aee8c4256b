import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmailAddress, ensureUsers } from '#libs/contracts';
import {
  email,
  type IdentityFixture,
  newEmail,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

describe('the users of many e-mail addresses', () => {
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
  const roles = (userIds: number[]) =>
    identity.database.query<{ realm_role_id: number }>(
      'SELECT realm_role_id FROM realm_users WHERE realm_id = $1 AND user_id = ANY($2)',
      [realm.realmId, userIds],
    );

  it('are made as learners of the realm, one for each address in whatever case', async () => {
    const [one, two] = [newEmail(), newEmail()];
    const known = await identity.ensureUser(realm, one);
    const users = await ensure([two, email(one.toUpperCase()), email(two.toUpperCase())]);
    expect(users).toHaveLength(2);
    expect(users).toContainEqual(known);
    expect(users).toContainEqual({ userId: expect.any(Number), email: two });
    expect(await roles(idsOf(users))).toEqual([{ realm_role_id: 1 }, { realm_role_id: 1 }]);
    expect(idsOf(await ensure([one, two]))).toEqual(idsOf(users));
    expect(await ensure([])).toEqual([]);
  });

  it('join a second realm', async () => {
    const other = await identity.addRealm('Other');
    const emails = [newEmail(), newEmail()];
    const here = await ensure(emails);
    expect(idsOf(await ensure(emails, undefined, other))).toEqual(idsOf(here));
  });

  it('are made once by many who ask at the same moment, in any order', async () => {
    const emails = Array.from({ length: 500 }, newEmail);
    const answers = await Promise.all(
      [...identity.buses, ...identity.buses].map((bus, index) =>
        ensure(index % 2 ? emails.toReversed() : emails, bus),
      ),
    );
    const ids = idsOf(answers[0] ?? []);
    expect(new Set(ids).size).toBe(500);
    for (const answer of answers) expect(idsOf(answer)).toEqual(ids);
    expect(await roles(ids)).toHaveLength(500);
  });

  it('are not made for a realm that does not exist', async () => {
    const address = newEmail();
    const unknown = { ...realm, realmId: 1_000_000 };
    await expect(ensure([address], undefined, unknown)).rejects.toMatchObject({
      code: 'not-found',
    });
    const made = await identity.database.query('SELECT FROM users WHERE email = $1', [address]);
    expect(made).toEqual([]);
  });
});
