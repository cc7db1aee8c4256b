import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf, ReplyOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  changeRealmCompatibility,
  changeRealmLimits,
  createRealm,
  deleteApiKey,
  emailAddress,
  findRealmLimits,
  issueApiKey,
  listApiKeys,
  listAuditEntries,
  listRealms,
  renewApiKey,
  rotateRealmSecret,
  switchRealm,
} from '@registrar/contracts';
import type { CallInput, CallName } from '../calls/calls.ts';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import type { ConsoleRoles } from '../sessions/roles.ts';

const at = '2026-02-03T04:05:06Z';
const realm = ownRealm;
const administrator: ConsoleRoles = { operator: false, realms: { [realm]: 'administrator' } };
const author: ConsoleRoles = { operator: false, realms: { [realm]: 'author' } };

const summary = {
  id: 1,
  guid: realm,
  name: 'Swimming school',
  provider_applications: 2,
  users: 3,
  created_at: at,
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
};
const keySummary = {
  id: 7,
  realm_guid: realm,
  course_provider_id: null,
  user_email: null,
  permissions: ['read' as const],
  created_at: at,
  last_used_at: null,
  expires_at: at,
};
const keyRecord = {
  id: 7,
  token_type: null,
  created_at: at,
  updated_at: at,
  expires_at: at,
  user_id: null,
  course_provider_id: null,
  realm_id: 1,
};
const secret = { realmGuid: realm, realmSecretKey: 'shown-once' };

describe('the calls about access', () => {
  let calls: ConsoleFixture;
  const asked: { contract: string; input: unknown }[] = [];

  const noted = <Contract extends Parameters<typeof stubReply>[0]>(
    contract: Contract,
    reply: (input: InputOf<Contract>) => Promise<ReplyOf<Contract>>,
  ) =>
    stubReply(contract, async (input) => {
      asked.push({ contract: contract.name, input });
      return reply(input);
    });
  const inputsOf = (contract: { readonly name: string }) =>
    asked.filter((each) => each.contract === contract.name).map(({ input }) => input);

  beforeAll(async () => {
    calls = await startConsoleFixture({
      stubs: {
        identity: [
          noted(listRealms, async ({ realmGuid }) => ({
            items: realmGuid === undefined || realmGuid === realm ? [summary] : [],
            next: null,
          })),
          noted(findRealmLimits, async () => ({ limits: { weight: 2 } })),
          noted(createRealm, async () => ({ realmId: 1, ...secret })),
          noted(switchRealm, async () => ({ realmGuid: realm, disabledAt: at })),
          noted(rotateRealmSecret, async () => ({ ...secret, previousUntil: at, revokedKeys: 1 })),
          noted(changeRealmLimits, async ({ changes }) => ({ limits: changes })),
          noted(changeRealmCompatibility, async () => ({ compatibility: null })),
          noted(listApiKeys, async () => ({ items: [keySummary], next: null })),
          noted(issueApiKey, async () => ({ summary: keySummary, token: 'shown-once' })),
          noted(renewApiKey, async () => keyRecord),
          noted(deleteApiKey, async () => keyRecord),
          noted(listAuditEntries, async () => ({ items: [], next: 'more' })),
        ],
      },
    });
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(() => calls.stop());

  const ofInstallation: { readonly [Name in CallName]?: CallInput<Name> } = {
    'audit.list-all': {},
    'realms.create': { name: 'New' },
    'realms.list': {},
    'realms.rotate-secret': { realm, overlapSeconds: 0, endKeys: false },
    'realms.set-compatibility': { realm, clients: 'none', userLicenses: null },
    'realms.set-limits': { realm, limits: {} },
    'realms.show': { realm },
    'realms.switch': { realm, enabled: false },
  };
  it.each(Object.entries(ofInstallation))(
    '%s is a call of operators alone',
    async (name, input) => {
      const make = (roles?: ConsoleRoles) => calls.make(name as CallName, input, roles);
      await expect(make(administrator)).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(asked).toEqual([]);
      await make();
      expect(asked.length).toBeGreaterThan(0);
    },
  );

  const ofAdministrators: { readonly [Name in CallName]?: CallInput<Name> } = {
    'api-keys.create': { realm, userEmail: null, application: null },
    'api-keys.list': { realm },
    'api-keys.renew': { realm, key: 7 },
    'api-keys.revoke': { realm, key: 7 },
    'audit.list': { realm },
  };
  it.each(Object.entries(ofAdministrators))(
    '%s is a call of the realm’s administrators, and not of its authors or of those of other realms',
    async (name, input) => {
      const make = (given: object, roles: ConsoleRoles) =>
        calls.make(name as CallName, { ...input, ...given }, roles);
      await expect(make({}, author)).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(make({ realm: 'foreign' }, administrator)).rejects.toMatchObject({
        code: 'unauthenticated',
      });
      expect(asked).toEqual([]);
      await make({}, administrator);
      expect(asked.length).toBeGreaterThan(0);
    },
  );

  it('a realm is found by its GUID alone, and shown with its own limits', async () => {
    expect(await calls.make('realms.show', { realm })).toEqual({
      realm: summary,
      limits: { weight: 2 },
    });
    expect(inputsOf(listRealms)).toEqual([{ realmGuid: realm, cursor: null, limit: 1 }]);
    await expect(calls.make('realms.show', { realm: 'foreign' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('the limits of a realm that are not given get their defaults', async () => {
    await calls.make('realms.set-limits', { realm, limits: { weight: 3 } });
    expect(inputsOf(changeRealmLimits)).toEqual([
      { realmGuid: realm, changes: { weight: 3 }, fromDefaults: true },
    ]);
  });

  it('a new secret key is in the reply of its rotation', async () => {
    const wanted = { realm, overlapSeconds: 60, endKeys: true };
    expect(await calls.make('realms.rotate-secret', wanted)).toMatchObject(secret);
    expect(inputsOf(rotateRealmSecret)).toEqual([
      { realmGuid: realm, overlapSeconds: 60, endKeys: true },
    ]);
    expect(await calls.make('realms.create', { name: 'New' })).toMatchObject(secret);
  });

  it('an API key is created in the realm of the call, with its limits', async () => {
    const wanted = {
      realm,
      userEmail: emailAddress.parse('ada@example.com'),
      application: 1,
      permissions: ['read' as const],
      lifetimeHours: 8,
    };
    expect(await calls.make('api-keys.create', wanted, administrator)).toEqual({
      summary: keySummary,
      token: 'shown-once',
    });
    const { realm: realmGuid, application: applicationId, ...limits } = wanted;
    expect(inputsOf(issueApiKey)).toEqual([{ realmGuid, applicationId, ...limits }]);
    const foreign = { ...wanted, application: 3 };
    await expect(calls.make('api-keys.create', foreign, administrator)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(inputsOf(issueApiKey)).toHaveLength(1);
  });

  it('API keys are renewed and revoked within the scope of the realm', async () => {
    await calls.make('api-keys.renew', { realm, key: 7 }, administrator);
    await calls.make('api-keys.revoke', { realm, key: 7 }, administrator);
    const scope = expect.objectContaining({
      realmId: 1,
      wholeRealm: true,
      mode: 'realm',
    }) as object;
    expect(inputsOf(renewApiKey)).toEqual([{ scope, apiKeyId: 7 }]);
    expect(inputsOf(deleteApiKey)).toEqual([{ scope, apiKeyId: 7 }]);
  });

  it('the audit log is listed from its newest entry, with the filters that are given', async () => {
    await calls.make('audit.list', { realm }, administrator);
    const wanted = {
      realm,
      action: 'api-key.created',
      actor: 'console' as const,
      actorName: 'ada@example.com',
      key: 7,
      since: at,
      cursor: 'more',
      limit: 10,
    };
    await calls.make('audit.list-all', wanted);
    await calls.make('audit.list-all', {});
    const none = { since: null, until: null, action: null, apiKeyId: null, afterId: null };
    const first = { ...none, newestFirst: true, cursor: null, limit: 50 };
    expect(inputsOf(listAuditEntries)).toEqual([
      { ...first, realmGuid: realm },
      {
        ...first,
        realmGuid: realm,
        since: at,
        action: 'api-key.created',
        actor: 'console',
        actorName: 'ada@example.com',
        apiKeyId: 7,
        cursor: 'more',
        limit: 10,
      },
      { ...first, realmGuid: null },
    ]);
  });
});
