import { describe, expect, it } from 'vitest';
import { hashSecret, isSameHash, randomApiKeyToken, randomSecret } from './secrets.ts';

describe('secrets', () => {
  it('secrets have at least 160 random bits', () => {
    expect(Buffer.from(randomSecret(), 'base64url').length * 8).toBeGreaterThanOrEqual(160);
    expect(randomSecret()).not.toBe(randomSecret());
    expect(randomApiKeyToken('unbound')).toMatch(/^rgk_[\w-]{43}$/);
    expect(randomApiKeyToken('bound')).toMatch(/^rgu_[\w-]{43}$/);
    expect(randomApiKeyToken('bound', 'short')).toMatch(/^rgu_[\w-]{28}$/);
  });

  it('secrets are compared by their hashes', () => {
    const stored = hashSecret('ours');
    expect(isSameHash(hashSecret('ours'), stored)).toBe(true);
    expect(isSameHash(hashSecret('theirs'), stored)).toBe(false);
  });

  it('secrets do not match if no hash is stored', () => {
    expect(isSameHash(hashSecret(''), undefined)).toBe(false);
  });
});
