import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { packagePath } from './package-path.ts';

/**
 * Returns the URL that launches a resource, relative to the package's root: its `href` below the
 * enclosing `xml:base`s, with the parameters of its item (SCORM 2004 CAM 3.4.1). A base names a
 * folder, with or without a slash at its end.
 *
 * @throws {PackageError} if the URL points outside the package or to a file that it does not contain
 */
export function launchHref(
  bases: readonly string[],
  href: string,
  parameters: string,
  { find }: Pick<CoursePackage, 'find'>,
): string {
  const folders = bases.filter(Boolean).map((base) => base.replace(/\/?$/, '/'));
  const whole = [...folders, href].join('').trim();
  if (/^[a-z][a-z+.-]*:/i.test(whole)) {
    throw new PackageError(`The manifest launches a URL outside of the package: ${whole}`);
  }
  const end = whole.search(/[?#]/);
  const [name, rest] = end < 0 ? [whole, ''] : [whole.slice(0, end), whole.slice(end)];
  const path = packagePath(decodeAddress(name));
  const file = find(path) ?? find(packagePath(name));
  if (file === undefined) {
    throw new PackageError(`The manifest launches ${path}, which the package does not contain.`);
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
