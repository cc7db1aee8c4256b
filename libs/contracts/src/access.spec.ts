import { describe, expect, it } from 'vitest';
import { accessScope, allPermissions, credentials } from './access.ts';

describe('the credentials of a request', () => {
  const longest = 'x'.repeat(256);

  it.each([
    { mode: 'api_key', token: longest },
    { mode: 'realm', guid: longest, secretKey: longest },
    { mode: 'provider', appId: longest, secretKey: longest },
  ])('the credentials of a request have texts of at most 256 characters: $mode', (given) => {
    expect(credentials.parse(given)).toEqual(given);
    const { mode: _, ...texts } = given;
    for (const name of Object.keys(texts)) {
      expect(credentials.safeParse({ ...given, [name]: 'x' }).success).toBe(true);
      expect(credentials.safeParse({ ...given, [name]: `${longest}x` }).success).toBe(false);
      expect(credentials.safeParse({ ...given, [name]: undefined }).success).toBe(false);
    }
  });
});

describe('the access scope', () => {
  const pair = {
    mode: 'realm',
    realmId: 1,
    applicationIds: [4, 5],
    wholeRealm: true,
    user: null,
    apiKeyId: null,
    permissions: ['read', 'write', 'launch'],
    secretGeneration: 0,
    expiresAt: null,
    limits: null,
    compatibility: null,
  };
  const key = {
    ...pair,
    mode: 'api_key',
    applicationIds: [],
    wholeRealm: false,
    user: { id: 7, email: 'ada@example.org' },
    apiKeyId: 3,
    permissions: ['launch'],
    secretGeneration: null,
    expiresAt: '2030-01-02T03:04:05Z',
    limits: { weight: 2 },
    compatibility: { clients: 'bright', userLicenses: true },
  };

  it.each([pair, { ...pair, mode: 'provider', secretGeneration: 3 }, key])(
    'the access scope keeps all of its parts in a message: %j',
    (scope) => {
      expect(accessScope.parse(scope)).toEqual(scope);
    },
  );

  it.each([
    { mode: 'user' },
    { permissions: ['erase'] },
    { user: { id: 7 } },
    { user: { email: 'ada@example.org' } },
    { secretGeneration: -1 },
    { expiresAt: 'tomorrow' },
    ...Object.keys(pair).map((name) => ({ [name]: undefined })),
  ])('the access scope is rejected as malformed with %j', (part) => {
    expect(accessScope.safeParse({ ...pair, ...part }).success).toBe(false);
  });

  it('the access scope of a pair has the permissions to read, to write and to launch', () => {
    expect(allPermissions).toEqual(['read', 'write', 'launch']);
  });
});
