import { errors, jwtVerify, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** The claims of a launch link, which is a signed JWT with an expiry (RFC 7519). */
export interface LaunchClaims {
  /** The registration's id in the database. */
  readonly registration: number;
  /** False for a review, in which nothing is recorded. */
  readonly tracking: boolean;
  /** Where the browser goes when the learner exits; null for a notice in the player. */
  readonly redirectUrl: string | null;
}

const algorithm = 'HS256';
const audience = 'launch';
const claims = z.object({
  sub: z.string().regex(/^\d+$/).transform(Number),
  tracking: z.boolean(),
  redirectUrl: z.url({ protocol: /^https?$/ }).nullable(),
});

/** Signs a launch link. Each link is unique because of its `jti`. */
export const signLaunch = (
  { registration, tracking, redirectUrl }: LaunchClaims,
  expirySeconds: number,
  key: Uint8Array,
  now = new Date(),
): Promise<string> =>
  new SignJWT({ tracking, redirectUrl })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(String(registration))
    .setAudience(audience)
    .setJti(randomUUID())
    .setExpirationTime(new Date(now.getTime() + expirySeconds * 1000))
    .sign(key);

/** Returns the claims of a link; `expired` after its expiry, `invalid` if its signature is wrong. */
export async function verifyLaunch(
  token: string,
  key: Uint8Array,
  now = new Date(),
): Promise<LaunchClaims | 'expired' | 'invalid'> {
  try {
    const options = { algorithms: [algorithm], audience, currentDate: now };
    const { payload } = await jwtVerify(token, key, options);
    const { sub, ...rest } = claims.parse(payload);
    return { registration: sub, ...rest };
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}
