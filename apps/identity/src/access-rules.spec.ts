import { describe, expect, it } from 'vitest';
import { type AccessScope, emailAddress, type Permission } from '@registrar/contracts';
import {
  accessScopeOf,
  applicationOfNewKey,
  isApplicationInScope,
  isRealmUserInScope,
  keyToDelete,
  keyToRenew,
  requireRealmAccess,
  type ResolvedCredentials,
} from './access-rules.ts';
import { testScope } from '@registrar/testing';

const user = { id: 3, email: emailAddress.parse('learner@example.com') };

describe('the scope of credentials', () => {
  const settings = {
    limits: { weight: 2 },
    compatibility: { clients: 'bright' as const, userLicenses: false },
  };
  const realm = { id: 7, applicationIds: [4, 5], ...settings };
  const expiresAt = new Date('2030-01-02T03:04:05.678Z');
  const expiry = '2030-01-02T03:04:05Z';
  const wholeRealm = { applicationIds: [4, 5], wholeRealm: true };
  const application = { applicationIds: [5], wholeRealm: false };
  const permissions: Permission[] = ['read', 'launch'];
  const ofPair = {
    user: null,
    apiKeyId: null,
    permissions: ['read', 'write', 'launch'],
    expiresAt: null,
  };

  it.each<[string, ResolvedCredentials, object]>([
    [
      'the whole realm for a realm pair',
      { mode: 'realm', applicationId: null, secretGeneration: 3, expiresAt: null },
      { ...wholeRealm, ...ofPair },
    ],
    [
      'the whole realm until the end of the overlap for a realm pair that was replaced',
      { mode: 'realm', applicationId: null, secretGeneration: 3, expiresAt },
      { ...wholeRealm, ...ofPair, expiresAt: expiry },
    ],
    [
      'its application for a provider pair',
      { mode: 'provider', applicationId: 5, secretGeneration: 3, expiresAt: null },
      { ...application, ...ofPair },
    ],
    [
      'the whole realm for an API key of the realm',
      { mode: 'api_key', apiKeyId: 9, applicationId: null, user: null, permissions, expiresAt },
      { ...wholeRealm, user: null, apiKeyId: 9, permissions, expiresAt: expiry },
    ],
    [
      'the application for an API key of an application',
      { mode: 'api_key', apiKeyId: 9, applicationId: 5, user: null, permissions, expiresAt },
      { ...application, user: null, apiKeyId: 9, permissions, expiresAt: expiry },
    ],
    [
      'the user in the realm for a user-bound API key',
      { mode: 'api_key', apiKeyId: 9, applicationId: null, user, permissions, expiresAt },
      { ...wholeRealm, user, apiKeyId: 9, permissions, expiresAt: expiry },
    ],
    [
      'the user in the application for a user-bound API key of an application',
      { mode: 'api_key', apiKeyId: 9, applicationId: 5, user, permissions, expiresAt },
      { ...application, user, apiKeyId: 9, permissions, expiresAt: expiry },
    ],
  ])('the scope of credentials is %s', (_, credentials, scope) => {
    expect(accessScopeOf(credentials, realm)).toEqual({
      mode: credentials.mode,
      realmId: 7,
      secretGeneration: credentials.mode === 'api_key' ? null : 3,
      ...settings,
      ...scope,
    });
  });

  it('the scope of credentials has no applications in a realm without applications', () => {
    const scope = accessScopeOf(
      { mode: 'realm', applicationId: null, secretGeneration: 3, expiresAt: null },
      { id: 7, applicationIds: [], ...settings },
    );
    expect(scope.applicationIds).toEqual([]);
  });
});

const scopeOf = (
  mode: AccessScope['mode'],
  applicationIds: number[],
  parts: Partial<Pick<AccessScope, 'wholeRealm' | 'user' | 'apiKeyId' | 'permissions'>> = {},
): AccessScope => testScope({ mode, applicationIds, wholeRealm: mode !== 'provider', ...parts });

describe('the provider application of a new API key', () => {
  it('the provider application of a new API key is null for a realm pair, even if the realm has one application only', () => {
    expect(applicationOfNewKey(scopeOf('realm', [4, 5]), null)).toBeNull();
    expect(applicationOfNewKey(scopeOf('realm', [4]), null)).toBeNull();
  });

  it('the provider application of a new API key is the one that a realm pair requests', () => {
    expect(applicationOfNewKey(scopeOf('realm', [4, 5]), 5)).toBe(5);
  });

  it('the provider application of a new API key is the application of a provider pair', () => {
    expect(applicationOfNewKey(scopeOf('provider', [4]), null)).toBe(4);
    expect(applicationOfNewKey(scopeOf('provider', [4]), 4)).toBe(4);
  });

  it.each(['realm', 'provider'] as const)(
    'the requested application of a new API key is in the scope of a %s pair, or not found',
    (mode) => {
      expect(() => applicationOfNewKey(scopeOf(mode, [4]), 5)).toThrow(
        expect.objectContaining({ code: 'not-found' }),
      );
    },
  );

  it('the provider application of a new API key cannot be requested with an API key', () => {
    expect(() => applicationOfNewKey(scopeOf('api_key', [4]), 4)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('access to the users of a realm', () => {
  it.each(['realm', 'api_key'] as const)(
    'access to the users of a realm is granted to a %s scope of the whole realm',
    (mode) => {
      expect(() => requireRealmAccess(scopeOf(mode, [4]))).not.toThrow();
    },
  );

  it.each([
    ['a provider pair', scopeOf('provider', [4])],
    ['an API key of an application', scopeOf('api_key', [4], { wholeRealm: false })],
    ['a user-bound API key', scopeOf('api_key', [4], { user })],
  ])('access to the users of a realm is denied to %s', (_, scope) => {
    expect(() => requireRealmAccess(scope)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('the API key that a scope deletes', () => {
  const userKey = scopeOf('api_key', [4], { user, apiKeyId: 9 });
  const realmKey = scopeOf('api_key', [4], { apiKeyId: 9 });
  const applicationKey = scopeOf('api_key', [4], { wholeRealm: false, apiKeyId: 9 });
  const readingKey = scopeOf('api_key', [4], { apiKeyId: 9, permissions: ['read'] });

  it('the API key that a scope deletes is the key of the scope, named or not', () => {
    for (const scope of [userKey, realmKey, applicationKey, readingKey]) {
      expect(keyToDelete(scope, null)).toBe(9);
      expect(keyToDelete(scope, 9)).toBe(9);
    }
  });

  it('the API key that a scope deletes is any named key for realm access', () => {
    expect(keyToDelete(realmKey, 10)).toBe(10);
    expect(keyToDelete(scopeOf('realm', [4]), 10)).toBe(10);
  });

  it.each([
    ['another key by a user-bound key', userKey, 10],
    ['another key by a key of an application', applicationKey, 10],
    ['a key by a provider pair', scopeOf('provider', [4]), 10],
    ['another key by a key that may not write', readingKey, 10],
    ['no key by a realm pair', scopeOf('realm', [4]), null],
  ])('the API key that a scope deletes is never %s', (_, scope, requestedId) => {
    expect(() => keyToDelete(scope, requestedId)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('the API key that a scope renews', () => {
  const unauthenticated: unknown = expect.objectContaining({ code: 'unauthenticated' });
  const realm = scopeOf('realm', [4]);

  it('the API key that a scope renews is its own if the request names none', () => {
    const readingKey = scopeOf('api_key', [4], { user, apiKeyId: 9, permissions: ['read'] });
    expect(keyToRenew(readingKey, undefined)).toBe(9);
    expect(() => keyToRenew(realm, undefined)).toThrow(unauthenticated);
  });

  it('the API key that a scope renews is any named key for realm access that may write', () => {
    expect(keyToRenew(realm, 10)).toBe(10);
    const readingRealm = scopeOf('realm', [4], { permissions: ['read', 'launch'] });
    for (const scope of [scopeOf('provider', [4]), scopeOf('realm', [4], { user }), readingRealm]) {
      expect(() => keyToRenew(scope, 10)).toThrow(unauthenticated);
    }
  });
});

describe('the SQL condition of realm users in scope', () => {
  it('the SQL condition of realm users in scope requires the realm', () => {
    const { text, values } = isRealmUserInScope(scopeOf('realm', [4]));
    expect([text, values]).toEqual(['ru.realm_id = $1', [1]]);
  });

  it('the SQL condition of realm users in scope requires the own user of a user-bound key', () => {
    const { text, values } = isRealmUserInScope(scopeOf('api_key', [4], { user }));
    expect([text, values]).toEqual(['ru.realm_id = $1 AND ru.public_user_id = $2', [1, user.id]]);
  });

  it('the SQL condition of realm users in scope is refused to a provider pair', () => {
    expect(() => isRealmUserInScope(scopeOf('provider', [4]))).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});

describe('the SQL condition of provider applications in scope', () => {
  it('requires the realm and the applications of the scope', () => {
    const { text, values } = isApplicationInScope(scopeOf('realm', [4, 5]));
    expect(text).toBe('a.realm_id = $1 AND a.id = ANY ($2)');
    expect(values).toEqual([1, [4, 5]]);
  });
});
