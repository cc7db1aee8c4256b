import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, beyond any guessing, in characters that need no escaping in a URL. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** The token of a new api key. Its beginning tells people and secret scanners what they found. */
export const randomApiKeyToken = (): string => `rgk_${randomSecret()}`;

/**
 * What is kept of a secret that we made. It is long and random, so a fast hash is as good as a
 * slow one, and every request can afford it.
 */
export const hashSecret = (secret: string): Buffer =>
  createHash('sha256').update(secret, 'utf8').digest();

/** Takes the place of a hash that is not there, so that a comparison happens in any case. */
const nobodysHash = randomBytes(32);

/**
 * Whether two hashes are the same, in a time that tells nothing about where they differ, nor
 * whether there was one to compare with.
 */
export function isSameHash(presented: Buffer, kept: Buffer | undefined): boolean {
  return timingSafeEqual(presented, kept ?? nobodysHash) && kept !== undefined;
}
