import { describe, expect, it } from '@jest/globals';
import { accessScope } from '#libs/contracts';
import { keyBinding } from './key-binding.ts';

const scope = (mode: 'realm' | 'provider' | 'api_key', applicationIds: number[]) =>
  accessScope.parse({
    mode,
    realmId: 1,
    applicationIds,
    wholeRealm: mode !== 'provider',
    user: null,
    expiresAt: null,
  });

describe('the provider application that an api key is bound to', () => {
  it('is none for a realm pair, be it the only one of the realm', () => {
    expect(keyBinding(scope('realm', [4, 5]), null)).toBeNull();
    expect(keyBinding(scope('realm', [4]), null)).toBeNull();
  });

  it('is the one that a realm pair names', () => {
    expect(keyBinding(scope('realm', [4, 5]), 5)).toBe(5);
  });

  it('is the own one of a provider pair', () => {
    expect(keyBinding(scope('provider', [4]), null)).toBe(4);
    expect(keyBinding(scope('provider', [4]), 4)).toBe(4);
  });

  it.each(['realm', 'provider'] as const)('is never out of reach of a %s pair', (mode) => {
    expect(() => keyBinding(scope(mode, [4]), 5)).toThrow(
      expect.objectContaining({ code: 'not-found' }),
    );
  });

  it('is not for an api key to choose', () => {
    expect(() => keyBinding(scope('api_key', [4]), 4)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});
