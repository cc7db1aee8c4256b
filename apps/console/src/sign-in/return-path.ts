/** The longest path that a sign-in returns to. */
const maxLength = 2_000;

/**
 * The path of the console, without its prefix, that a sign-in returns to: `/` unless `given` is one. A browser
 * leaves the console for `//host`, for `/\host`, and for either with control characters in between.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > maxLength) return '/';
  const base = 'http://console.invalid';
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return '/';
  const url = URL.parse(given, base);
  return url?.origin === base && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : '/';
}
