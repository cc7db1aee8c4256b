import { errors, jwtVerify, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** What a launch link says: a JWT (RFC 7519), so it holds until its time and cannot be changed. */
export interface LaunchClaims {
  /** The registration's id in our database. */
  readonly registration: number;
  /** False for a review, which tracks nothing. */
  readonly tracking: boolean;
  /** Where leaving the course leads; null for a page that says that it is over. */
  readonly redirectUrl: string | null;
}

const algorithm = 'HS256';
const audience = 'launch';
const claims = z.object({
  sub: z.string().regex(/^\d+$/).transform(Number),
  tracking: z.boolean(),
  redirectUrl: z.url({ protocol: /^https?$/ }).nullable(),
});

/** Two links are never the same, even for one registration in one second. */
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

/** The claims of a link; `expired` when its time is over, `invalid` when it is not one of ours. */
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
