import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureUser } from '#libs/contracts';
import {
  email,
  type IdentityFixture,
  newEmail,
  startIdentityFixture,
  type TestRealm,
} from '../identity.fixture.ts';

describe('the user of an e-mail address', () => {
  let identity: IdentityFixture;
  let realm: TestRealm;

  beforeAll(async () => {
    identity = await startIdentityFixture();
    realm = await identity.addRealm();
  });
  afterAll(() => identity.stop());

  const attachments = (userId: number) =>
    identity.database.query(
      `SELECT realm_id, realm_role_id, custom FROM realm_users WHERE user_id = $1 ORDER BY id`,
      [userId],
    );

  it('is made as a learner of the realm, the address kept as it was given', async () => {
    const address = newEmail();
    const user = await identity.ensureUser(realm, address);
    expect(user.email).toBe(address);
    expect(await attachments(user.userId)).toEqual([
      { realm_id: realm.realmId, realm_role_id: 1, custom: null },
    ]);
  });

  it('is one without regard to case, and keeps the first spelling', async () => {
    const address = newEmail();
    const first = await identity.ensureUser(realm, address);
    const again = await identity.ensureUser(realm, email(address.toLowerCase()));
    expect(again).toEqual(first);
  });

  it('belongs to every realm that asked for it', async () => {
    const other = await identity.addRealm('Other');
    const address = newEmail();
    const { userId } = await identity.ensureUser(realm, address);
    expect((await identity.ensureUser(other, address)).userId).toBe(userId);
    expect(await attachments(userId)).toMatchObject([
      { realm_id: realm.realmId },
      { realm_id: other.realmId },
    ]);
  });

  it('is made once by many who ask at the same moment, at several replicas', async () => {
    const address = newEmail();
    const { realmId } = realm;
    const spellings = [address, email(address.toLowerCase()), email(address.toUpperCase())];
    const answers = await Promise.all(
      identity.buses.flatMap((bus) =>
        [...spellings, ...spellings].map((spelling) =>
          bus.request(ensureUser, { realmId, email: spelling }),
        ),
      ),
    );
    expect(new Set(answers.map((answer) => answer.userId)).size).toBe(1);
    expect(await attachments(answers[0]?.userId ?? 0)).toHaveLength(1);
  });

  it('is not made for a realm that does not exist', async () => {
    const address = newEmail();
    const unknown = { ...realm, realmId: 1_000_000 };
    await expect(identity.ensureUser(unknown, address)).rejects.toMatchObject({
      code: 'not-found',
    });
    const made = await identity.database.query('SELECT FROM users WHERE email = $1', [address]);
    expect(made).toEqual([]);
  });
});
