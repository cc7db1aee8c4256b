import * as z from 'zod';

/** A URL that the provider sends requests to. */
export const httpUrl = z
  .string({ error: 'is missing' })
  .max(2048)
  .pipe(z.url({ protocol: /^https?$/, error: 'is not an HTTP URL' }))
  .refine((url) => !hasCredentials(url), {
    error: 'contains credentials',
  });

function hasCredentials(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}
