import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What is kept of an application's secret key. The keys are long and random, so a fast hash is
 * as good as a slow one, and every request can afford it.
 */
export const hashSecret = (secretKey: string): Buffer =>
  createHash('sha256').update(secretKey, 'utf8').digest();

/** Compares in a time that tells nothing about where the two differ. */
export const isSecret = (presented: string, hash: Buffer): boolean =>
  timingSafeEqual(hashSecret(presented), hash);
