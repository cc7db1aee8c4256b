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

/** A link after its expiry. */
export interface ExpiredLink {
  readonly expired: true;
  readonly redirectUrl: string | null;
}

/** Returns the claims of a link, or `invalid` if its signature is wrong. */
export async function verifyLaunch(
  token: string,
  key: Uint8Array,
  now = new Date(),
): Promise<LaunchClaims | ExpiredLink | 'invalid'> {
  try {
    const options = { algorithms: [algorithm], audience, currentDate: now };
    const { payload } = await jwtVerify(token, key, options);
    const { sub, ...rest } = claims.parse(payload);
    return { registration: sub, ...rest };
  } catch (error) {
    if (!(error instanceof errors.JWTExpired)) return 'invalid';
    // The signature was verified before the expiry.
    return {
      expired: true,
      redirectUrl: claims.safeParse(error.payload).data?.redirectUrl ?? null,
    };
  }
}
