import * as z from 'zod';

/** An internal id: a positive 32-bit integer. */
export const id = z.int().min(1).max(2_147_483_647);

/** A point in time as it travels between contexts and to clients: ISO 8601, UTC, whole seconds. */
export const timestamp = z.iso.datetime();

/** A date as {@link timestamp}. Fractions of a second are cut off (decision 7). */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/**
 * An e-mail address, kept as it was given and compared without regard to case. At most 254
 * characters (RFC 5321, 4.5.3.1).
 */
export const emailAddress = z.email().max(254).brand<'EmailAddress'>();
export type EmailAddress = z.infer<typeof emailAddress>;

/** A course's or registration's id at its provider. */
export const guid = z.string().min(1).max(255);
