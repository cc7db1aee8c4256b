import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Random bytes, 256 bits by default, in characters that need no escaping in a URL. */
export const randomSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** How many random bytes the token of 32 characters has: 168 bits. */
const bytesOfShortToken = 21;

/**
 * The token of a new API key. Its prefix identifies it to people and secret scanners: `rgu_` for a
 * user-bound key, `rgk_` for any other (contract/api-keys#token-prefix). Access does not depend on it.
 *
 * @param length `short` for 32 characters (contract/compatibility#token-length)
 */
export const randomApiKeyToken = (
  kind: 'bound' | 'unbound',
  length: 'full' | 'short' = 'full',
): string => {
  const secret = length === 'full' ? randomSecret() : randomSecret(bytesOfShortToken);
  return `${kind === 'bound' ? 'rgu' : 'rgk'}_${secret}`;
};

/**
 * The stored form of a generated secret. A fast hash is safe because the secret has at least 168 random
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
