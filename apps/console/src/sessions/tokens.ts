import { createHash, randomBytes } from 'node:crypto';

/** Returns a new token of 256 bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What a token looks like, so that no other text is looked up. */
const tokenPattern = /^[\w-]{43}$/;

/** The hash under which a token is stored; null for a text that is no token. */
export const hashToken = (token: string): Buffer | null =>
  tokenPattern.test(token) ? createHash('sha256').update(token).digest() : null;
