import { clock } from '@registrar/platform';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { LinkKey } from './launch-link-keys.ts';

/** The longest lifetime of a link. */
export const maxExpirySeconds = 7 * 86_400;
/** How long a course window can be used at most: longer than a working day. */
export const maxWindowSeconds = 12 * 3600;

const algorithm = 'HS256';
const audience = 'launch';

const window = {
  /** Names the link, which opens one window. */
  id: z.string().regex(/^[0-9a-f]{32}$/),
  /** Names the origin: that of the registration, or the preview's own. */
  label: z.uuid(),
  /** False for a review or a preview, in which nothing is recorded. */
  tracking: z.boolean(),
  /** Where the browser goes when the learner exits; null for a notice in the player. */
  redirectUrl: z.url({ protocol: /^https?$/ }).nullable(),
  /** The id of the activity to open first; null for the one that the learner left. */
  startActivity: z.string().nullable(),
  /** Whether the window works in the browser alone that loads it first. */
  needsCookie: z.boolean(),
  /** Whether the window works at the address alone that followed the link. */
  bindsAddress: z.boolean(),
  /** How long the window can be used. */
  windowSeconds: z.int().min(1).max(maxWindowSeconds),
  /** The language of the player, as a tag; null for that of the browser. */
  culture: z.string().nullable(),
  /** A style sheet for the player's page. */
  cssUrl: z.url({ protocol: /^https$/ }).nullable(),
};
const ofRegistration = z.object({
  ...window,
  /** The registration's id in the database. */
  registration: z.int(),
  /** How often the launches of the registration had been ended. */
  generation: z.int(),
});
const ofPreview = z.object({
  ...window,
  /** The id in the database of the course version that is previewed. */
  courseVersion: z.int(),
});
const claims = z.union([ofRegistration, ofPreview]);
/** The claims of a launch link, which is a signed JWT with an expiry (RFC 7519). */
export type LaunchClaims = z.output<typeof claims>;
export type RegistrationClaims = z.output<typeof ofRegistration>;
export type PreviewClaims = z.output<typeof ofPreview>;

/** Signs a launch link. */
export const signLaunch = (
  launch: LaunchClaims,
  expirySeconds: number,
  { kid, key }: LinkKey,
  now = clock.date(),
): Promise<string> =>
  new SignJWT(launch)
    .setProtectedHeader({ alg: algorithm, kid })
    .setAudience(audience)
    .setExpirationTime(new Date(now.getTime() + expirySeconds * 1000))
    .sign(key);

/** A link after its expiry. */
export interface ExpiredLink {
  readonly expired: true;
  readonly redirectUrl: string | null;
  readonly culture: string | null;
}

/**
 * Returns the claims of a link; null if it has no valid signature.
 *
 * @param findKey returns the key that a link names; null if it is unknown or has ended
 */
export async function verifyLaunch(
  token: string,
  findKey: (kid: string) => Promise<Uint8Array | null>,
): Promise<LaunchClaims | ExpiredLink | null> {
  const keyOf = async ({ kid }: { readonly kid?: string }) => {
    const key = kid === undefined ? null : await findKey(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const options = { algorithms: [algorithm], audience, currentDate: clock.date() };
    const { payload } = await jwtVerify(token, keyOf, options);
    return claims.parse(payload);
  } catch (error) {
    // The signature was verified before the expiry.
    if (error instanceof errors.JWTExpired) {
      const { redirectUrl = null, culture = null } = claims.safeParse(error.payload).data ?? {};
      return { expired: true, redirectUrl, culture };
    }
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null;
    throw error;
  }
}
