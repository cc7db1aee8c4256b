import * as z from 'zod';

/** The rest of a list: the place of its next item, and its times in milliseconds since the epoch. */
const pageToken = z.object({
  from: z.int().nonnegative(),
  byUpdated: z.boolean(),
  since: z.number(),
  until: z.number(),
});
export type PageToken = z.output<typeof pageToken>;

export const encodeToken = (token: PageToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** @throws when the text is no token */
export const decodeToken = (text: string): PageToken =>
  pageToken.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
