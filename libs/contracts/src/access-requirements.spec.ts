import { describe, expect, it } from 'vitest';
import { type AccessScope, accessScope } from './access.ts';
import {
  requireApiKey,
  requireApplication,
  requireLicenseAccess,
  requireOwnLearner,
  requireOwnUserOrRealm,
  requirePair,
  requirePermission,
  requireRealmAccess,
  requireRealmUserUpdate,
  requireUnbound,
  requireWholeRealm,
} from './access-requirements.ts';

const realmPair = accessScope.parse({
  mode: 'realm',
  realmId: 1,
  applicationIds: [4, 5],
  wholeRealm: true,
  user: null,
  apiKeyId: null,
  permissions: ['read'],
  secretGeneration: 0,
  expiresAt: null,
  limits: null,
  compatibility: null,
});
const user = { id: 7, email: 'Ada@Example.org' };
const scopeWith = (scope: AccessScope, parts: object) => accessScope.parse({ ...scope, ...parts });

const providerPair = scopeWith(realmPair, { mode: 'provider', wholeRealm: false });
const realmKey = scopeWith(realmPair, { mode: 'api_key', apiKeyId: 9 });
const applicationKey = scopeWith(realmKey, { wholeRealm: false });
const userKey = scopeWith(realmKey, { user });
const applicationUserKey = scopeWith(applicationKey, { user });

/** Every kind of access. */
const kinds = { realmPair, providerPair, realmKey, applicationKey, userKey, applicationUserKey };
type Kind = keyof typeof kinds;

const bright = { clients: 'bright', userLicenses: false };
const unauthenticated: unknown = expect.objectContaining({ code: 'unauthenticated' });

/** Which kinds of access meet a requirement, in realms with these settings. */
const accepted = (require: (scope: AccessScope) => void, compatibility: object | null = null) =>
  (Object.keys(kinds) as Kind[]).filter((kind) => {
    const scope = scopeWith(kinds[kind], { compatibility });
    try {
      require(scope);
      return true;
    } catch (error) {
      expect(error).toEqual(unauthenticated);
      return false;
    }
  });

describe('what operations require of the access', () => {
  it.each<[string, (scope: AccessScope) => void, Kind[]]>([
    ['requireWholeRealm', requireWholeRealm, ['realmPair', 'realmKey', 'userKey']],
    ['requireUnbound', requireUnbound, ['realmPair', 'providerPair', 'realmKey', 'applicationKey']],
    ['requireRealmAccess', requireRealmAccess, ['realmPair', 'realmKey']],
    ['requirePair', requirePair, ['realmPair', 'providerPair']],
    [
      'requireApiKey',
      requireApiKey,
      ['realmKey', 'applicationKey', 'userKey', 'applicationUserKey'],
    ],
    [
      'requireOwnUserOrRealm',
      requireOwnUserOrRealm,
      ['realmPair', 'realmKey', 'userKey', 'applicationUserKey'],
    ],
    ['requireRealmUserUpdate', requireRealmUserUpdate, ['realmPair', 'realmKey']],
    ['requireLicenseAccess', requireLicenseAccess, ['realmPair', 'realmKey']],
  ])('%s accepts its kinds of access alone', (_, require, expected) => {
    expect(accepted(require)).toEqual(expected);
  });

  it('requireRealmUserUpdate accepts every user-bound key too in a realm that serves the clients of Bright', () => {
    const expected = ['realmPair', 'realmKey', 'userKey', 'applicationUserKey'];
    expect(accepted(requireRealmUserUpdate, bright)).toEqual(expected);
  });

  it('requireLicenseAccess accepts a user-bound key of the whole realm if the realm lets it create licenses', () => {
    expect(accepted(requireLicenseAccess, bright)).toEqual(['realmPair', 'realmKey']);
    const allowed = { ...bright, userLicenses: true };
    expect(accepted(requireLicenseAccess, allowed)).toEqual(['realmPair', 'realmKey', 'userKey']);
  });

  it('requirePermission accepts a scope that has the permission, and every scope if none is required', () => {
    expect(() => requirePermission(realmPair, 'read')).not.toThrow();
    expect(() => requirePermission({ permissions: [] }, null)).not.toThrow();
    expect(() => requirePermission(realmPair, 'write')).toThrow(unauthenticated);
    expect(() => requirePermission({ permissions: [] }, 'launch')).toThrow(unauthenticated);
  });

  it('requireOwnLearner accepts for a user-bound key its own address alone, in any case', () => {
    expect(() => requireOwnLearner(userKey, 'ada@example.ORG')).not.toThrow();
    expect(() => requireOwnLearner(realmPair, 'bob@example.org')).not.toThrow();
    for (const other of ['bob@example.org', 'ada@example.or', '']) {
      expect(() => requireOwnLearner(userKey, other)).toThrow(unauthenticated);
    }
  });

  it('requireApplication accepts the provider applications of the scope alone', () => {
    for (const reached of [4, 5]) {
      expect(() => requireApplication(realmPair, reached)).not.toThrow();
    }
    expect(() => requireApplication(realmPair, 6)).toThrow(unauthenticated);
  });
});
