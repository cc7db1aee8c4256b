import * as z from 'zod';

/** The rest of a list: the place of its next item, and the time of `since`; null for a list of all. */
const pageToken = z.object({ from: z.int().nonnegative(), since: z.number().nullable() });
export type PageToken = z.output<typeof pageToken>;

export const encodeToken = (token: PageToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** @throws when the text is no token */
export const decodeToken = (text: string): PageToken =>
  pageToken.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
