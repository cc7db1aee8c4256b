import { describe, expect, it } from '@jest/globals';
import { hashSecret, isSameHash, randomApiKeyToken, randomSecret } from './secrets.ts';

describe('secrets', () => {
  it('are random, at least 160 bits of them', () => {
    expect(Buffer.from(randomSecret(), 'base64url').length * 8).toBeGreaterThanOrEqual(160);
    expect(randomSecret()).not.toBe(randomSecret());
    expect(randomApiKeyToken()).toMatch(/^rgk_[\w-]{43}$/);
  });

  it('are recognised by their hash', () => {
    const kept = hashSecret('ours');
    expect(isSameHash(hashSecret('ours'), kept)).toBe(true);
    expect(isSameHash(hashSecret('theirs'), kept)).toBe(false);
  });

  it('match nothing where nothing is kept', () => {
    expect(isSameHash(hashSecret(''), undefined)).toBe(false);
  });
});
