import type { CoursePackage } from './open-package.ts';
import { refusal } from './package-error.ts';
import { hrefOfManifest, packagePath } from './package-path.ts';

/** What an `href` of a manifest means. */
interface Href {
  /** The path that it names. */
  readonly path: string;
  /** The path of the file in the package; undefined if the package does not contain it. */
  readonly file: string | undefined;
  /** Query and fragment. */
  readonly rest: string;
}

/**
 * Resolves an `href` of a manifest (SCORM 2004 CAM 3.4.1). A base names a folder, with or without a slash at its end.
 *
 * @returns the URL alone if it points outside of the package
 * @throws {PackageError} if its path leads out of the package
 */
export function resolveHref(
  bases: readonly string[],
  href: string,
  { find }: Pick<CoursePackage, 'find'>,
): Href | { readonly url: string } {
  const folders = bases.filter(Boolean).map((base) => base.replace(/\/?$/, '/'));
  const whole = [...folders, href].join('').trim();
  if (/^[a-z][a-z+.-]*:/i.test(whole) || whole.startsWith('//')) return { url: whole };
  const end = whole.search(/[?#]/);
  const [name, rest] = end < 0 ? [whole, ''] : [whole.slice(0, end), whole.slice(end)];
  const path = packagePath(decodeAddress(name), hrefOfManifest);
  const file = find(path) ?? find(packagePath(name, hrefOfManifest));
  return { path, file, rest };
}

/**
 * Returns the URL that launches a resource, relative to the package's root: its `href`, with the parameters of its item.
 *
 * @throws {PackageError} if the URL points outside the package or to a file that it does not contain
 */
export function launchHref(
  bases: readonly string[],
  href: string,
  parameters: string,
  files: Pick<CoursePackage, 'find'>,
): string {
  const resolved = resolveHref(bases, href, files);
  if ('url' in resolved) {
    const message = `The manifest launches a URL outside of the package: ${resolved.url}`;
    throw refusal('href-outside', message);
  }
  const { path, file, rest } = resolved;
  if (file === undefined) {
    const message = `The manifest launches ${path}, which the package does not contain.`;
    throw refusal('launch-missing', message);
  }
  const address = file.split('/').map(encodeURIComponent).join('/') + rest;
  return withParameters(address, parameters.trim());
}

function withParameters(address: string, given: string): string {
  const parameters = given.replace(/^[?&]+/, '');
  if (parameters === '') return address;
  if (parameters.startsWith('#')) return address.includes('#') ? address : address + parameters;
  const hash = address.indexOf('#');
  const [before, after] = hash < 0 ? [address, ''] : [address.slice(0, hash), address.slice(hash)];
  return `${before}${before.includes('?') ? '&' : '?'}${parameters}${after}`;
}

function decodeAddress(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
