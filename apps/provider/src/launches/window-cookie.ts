import { maxWindowSeconds } from './launch-link.ts';

const name = 'window';
const format = new RegExp(`(?:^|; *)${name}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** Returns the cookie of a course window in a `Cookie` header; null without one. */
export const readWindowCookie = (header: string | undefined): string | null =>
  format.exec(header ?? '')?.[1] ?? null;

/**
 * Returns the `Set-Cookie` header that gives a browser the cookie of a course window. Without a path, the cookie belongs
 * to that of the window, whatever prefix a proxy adds (RFC 6265, 5.1.4). A portal of another site may have the window in
 * a frame: browsers keep the cookie apart for each such site (CHIPS), where they take it by HTTPS.
 */
export function windowCookieHeader(cookie: string, isSecure: boolean): string {
  const scope = isSecure ? 'Secure; SameSite=None; Partitioned' : 'SameSite=Lax';
  return `${name}=${cookie}; Max-Age=${maxWindowSeconds}; HttpOnly; ${scope}`;
}
