import { clock } from '@registrar/platform';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { LinkKey } from './launch-link-keys.ts';

/** The longest lifetime of a link. */
export const maxExpirySeconds = 7 * 86_400;

/** The claims of a launch link, which is a signed JWT with an expiry (RFC 7519). */
export interface LaunchClaims {
  /** The registration's id in the database. */
  readonly registration: number;
  /** How often the launches of the registration had been ended. */
  readonly generation: number;
  /** Names the launch and its origin. */
  readonly label: string;
  /** False for a review, in which nothing is recorded. */
  readonly tracking: boolean;
  /** Where the browser goes when the learner exits; null for a notice in the player. */
  readonly redirectUrl: string | null;
}

const algorithm = 'HS256';
const audience = 'launch';
const claims = z.object({
  sub: z.string().regex(/^\d+$/).transform(Number),
  generation: z.int(),
  label: z.string().regex(/^[0-9a-f]{32}$/),
  tracking: z.boolean(),
  redirectUrl: z.url({ protocol: /^https?$/ }).nullable(),
});

/** Signs a launch link. */
export const signLaunch = (
  { registration, ...rest }: LaunchClaims,
  expirySeconds: number,
  { kid, key }: LinkKey,
  now = clock.date(),
): Promise<string> =>
  new SignJWT(rest)
    .setProtectedHeader({ alg: algorithm, kid })
    .setSubject(String(registration))
    .setAudience(audience)
    .setExpirationTime(new Date(now.getTime() + expirySeconds * 1000))
    .sign(key);

/** Returns the `kid` of a link; null if it is no signed token that names one. */
export function kidOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    return null;
  }
}

/** A link after its expiry. */
export interface ExpiredLink {
  readonly expired: true;
  readonly redirectUrl: string | null;
}

/** Returns the claims of a link, or `invalid` if its signature is wrong. */
export async function verifyLaunch(
  token: string,
  key: Uint8Array,
  now = clock.date(),
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
