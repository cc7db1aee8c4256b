import { toTimestamp } from '#libs/contracts';
import * as z from 'zod';

const withZone = /(z|[+-]\d\d:?\d\d)$/i;

/** A provider's date (ISO 8601; UTC where it names no zone) as our timestamp; null for no date. */
export const providerDate = z
  .string()
  .nullish()
  .transform((text) => {
    if (!text) return null;
    const date = new Date(withZone.test(text) ? text : `${text}Z`);
    return Number.isNaN(date.getTime()) ? null : toTimestamp(date);
  });
