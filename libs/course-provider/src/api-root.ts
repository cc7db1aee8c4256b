const versionedRoot = '/api/v2/';

/**
 * The root of a provider's HTTP API, version 2, with a slash at its end. The address that is
 * configured may end before or at `/api/v2`; credentials, query and fragment in it are dropped.
 */
export function apiRootOf(baseUrl: string): URL {
  const root = new URL(baseUrl);
  const prefix = root.pathname.replace(/\/*$/, '/');
  root.pathname = prefix.endsWith(versionedRoot) ? prefix : prefix.slice(0, -1) + versionedRoot;
  root.username = root.password = root.search = root.hash = '';
  return root;
}
