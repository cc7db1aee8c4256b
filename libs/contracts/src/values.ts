import * as z from 'zod';
import { textLimits } from './text-limits.ts';

/** Internal id: a positive integer, at most 2^53 - 1. */
export const id = z.int().min(1);

/** Point in time between contexts and to clients: ISO 8601, UTC, whole seconds. */
export const timestamp = z.iso.datetime();

/**
 * Formats a date as a {@link timestamp}; fractions of a second are cut off
 * (contract/formats#timestamps).
 */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/**
 * E-mail address, stored as given and compared without regard to case. At most 254 characters (RFC
 * 5321, 4.5.3.1).
 */
export const emailAddress = z.email().max(254).brand<'EmailAddress'>();
export type EmailAddress = z.infer<typeof emailAddress>;

/** The value of a filter, or a name that a request looks up. */
export const filterText = z.string().max(textLimits.filter);

/** IPv4 or IPv6 address without a zone. */
export const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/** Id of a course or a registration at its provider. */
export const guid = z.string().min(1).max(255);

/** How long a replaced secret key stays valid beside the new one: seconds, 30 days at most; 0 for not at all. */
export const overlapSeconds = z
  .int()
  .min(0)
  .max(30 * 86_400);
