import * as z from 'zod';

/** The number of a course version, in a path or a query. */
export const versionNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'is not the number of a version' })
  .transform(Number);

/** The number of a version where a path names one; null for the newest version. */
export const versionOrNull = z.preprocess(
  (given) => (typeof given === 'string' ? given : null),
  z.union([z.null(), versionNumber], { error: 'is not the number of a version' }),
);
