import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in characters that need no escaping in a URL. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The token of a new API key. Its prefix identifies it to people and secret scanners: `rgu_` for a
 * user-bound key, `rgk_` for any other (contract/api-keys#token-prefix). Access does not depend on it.
 */
export const randomApiKeyToken = (kind: 'bound' | 'unbound'): string =>
  `${kind === 'bound' ? 'rgu' : 'rgk'}_${randomSecret()}`;

/**
 * The stored form of a generated secret. A fast hash is safe because the secret has 256 random
 * bits, and cheap enough for every request.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compared with if there is no stored hash, so that the time is the same. Random, so that no secret has it. */
const placeholderHash = randomBytes(32);

/**
 * Compares two hashes in constant time. The time also does not depend on whether there is a stored
 * hash.
 */
export function isSameHash(presented: Buffer, stored: Buffer | undefined): boolean {
  return timingSafeEqual(presented, stored ?? placeholderHash);
}
