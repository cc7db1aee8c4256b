import { toTimestamp } from '@registrar/contracts';
import * as z from 'zod';

const timeZoneSuffix = /(z|[+-]\d\d:?\d\d)$/i;

/**
 * Parses a provider's date (ISO 8601; UTC when it names no time zone) into a timestamp. A missing or
 * unreadable date becomes null.
 */
export const providerDate = z
  .string()
  .nullish()
  .transform((text) => {
    if (!text) return null;
    const date = new Date(timeZoneSuffix.test(text) ? text : `${text}Z`);
    return Number.isNaN(date.getTime()) ? null : toTimestamp(date);
  });
