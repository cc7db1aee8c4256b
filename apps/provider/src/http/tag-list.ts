import * as z from 'zod';
import { bodyObject } from './parse.ts';

/** Tags of one course, registration or learner, and tags in one request. */
export const maxTags = 100;

/** A tag of a course, registration or learner. Commas separate tags in queries. */
export const tag = z.string().regex(/^[^\p{Cc},]{1,255}$/u, {
  error: 'has 1 to 255 characters, without commas and control characters',
});

/** The body of requests that add or remove tags. */
export const tagListBody = bodyObject({ tags: z.array(tag).max(maxTags) });

/** Tags in a query, separated by commas. A list contains what has one of them or more. */
export const tagFilter = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(tag).max(maxTags));
