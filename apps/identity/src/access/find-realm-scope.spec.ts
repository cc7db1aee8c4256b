import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRealmScope, listRealmNames, switchRealm } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import { auditEntries, type IdentityFixture, startIdentityFixture } from '../identity.fixture.ts';

describe('the scope of a realm for the console', () => {
  let identity: IdentityFixture;
  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  it('the scope reaches all provider applications of the realm with the permissions of the role', async () => {
    const realm = await identity.addRealm();
    const applications = [
      await identity.addApplication(realm),
      await identity.addApplication(realm),
    ];
    await identity.addApplication(await identity.addRealm());
    const { realmGuid } = realm;
    const scope = await identity.bus.request(findRealmScope, { realmGuid, permissions: ['read'] });
    expect(scope).toMatchObject({
      mode: 'realm',
      realmId: realm.realmId,
      applicationIds: applications.map(({ applicationId }) => applicationId),
      wholeRealm: true,
      user: null,
      apiKeyId: null,
      permissions: ['read'],
      secretGeneration: null,
    });
  });

  it('an unknown realm is not found, and a disabled one has no scope', async () => {
    const { realmGuid } = await identity.addRealm();
    await identity.bus.request(switchRealm, { realmGuid, enabled: false });
    const scopeOf = (guid: string) =>
      identity.bus.request(findRealmScope, { realmGuid: guid, permissions: ['read'] });
    await expect(scopeOf('unknown')).rejects.toMatchObject({ code: 'not-found' });
    await expect(scopeOf(realmGuid)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('names of realms are listed in order, page by page, by their GUIDs or a part of the name', async () => {
    const word = randomUUID();
    const realms = [];
    for (const name of ['c', 'A', 'b']) realms.push(await identity.addRealm(`${name} ${word}`));
    const names = async (guids: string[] | null, text: string | null, limit = 10) => {
      const found: string[] = [];
      for await (const { items } of identity.bus.pages(listRealmNames, { guids, text }, limit)) {
        found.push(...items.map(({ name }) => name.split(' ')[0]!));
      }
      return found.toSorted((one, other) => one.localeCompare(other));
    };
    expect(await names(null, word.toUpperCase(), 2)).toEqual(['A', 'b', 'c']);
    expect(await names([realms[0]!.realmGuid, 'unknown'], null)).toEqual(['c']);
    expect(await names([], null)).toEqual([]);
    expect(await names(null, `%${word}`)).toEqual([]);
  });

  it('an act of a user of the console has the name of the user, and another app cannot give one', async () => {
    const { realmId, realmGuid } = await identity.addRealm();
    const context = { requestId: randomUUID(), deadline: clock.now() + 10_000 };
    const consoleUser = 'ada@example.com';
    await runInRequestContext({ ...context, consoleUser }, () =>
      identity.database.transaction(() =>
        identity.audit.record({
          action: 'realm.enabled',
          actor: { kind: 'operator', id: null, applicationId: null },
          realmId,
        }),
      ),
    );
    expect(await auditEntries(identity, realmId, 'realm.enabled')).toMatchObject([
      { actor: 'console', actor_id: null, actor_name: consoleUser },
    ]);
    // The fixture's requests come from identity itself.
    await runInRequestContext({ ...context, consoleUser }, () =>
      identity.bus.request(switchRealm, { realmGuid, enabled: false }),
    );
    expect(await auditEntries(identity, realmId, 'realm.disabled')).toMatchObject([
      { actor: 'operator', actor_name: null },
    ]);
  });
});
