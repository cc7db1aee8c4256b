const versionPath = '/api/v2/';

/**
 * Returns the root of a provider's HTTP API, version 2, with a trailing slash.
 *
 * @param baseUrl an address that may end before or at `/api/v2`; its credentials, query and
 * fragment are dropped
 * @throws {TypeError} when it is not a URL
 */
export function resolveApiRoot(baseUrl: string): URL {
  const root = new URL(baseUrl);
  const prefix = root.pathname.replace(/\/*$/, '/');
  root.pathname = prefix.endsWith(versionPath) ? prefix : prefix.slice(0, -1) + versionPath;
  root.username = root.password = root.search = root.hash = '';
  return root;
}
