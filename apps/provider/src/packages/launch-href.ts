import { PackageError } from './package-error.ts';
import { packagePath } from './package-path.ts';

/**
 * Returns the URL that launches a resource, relative to the package's root: its `href` below the
 * enclosing `xml:base`s, with the parameters of its item (SCORM 2004 CAM 3.4.1).
 *
 * @returns the URL, and the path of the file that it names
 * @throws {PackageError} if the URL points outside the package
 */
export function launchHref(
  bases: readonly string[],
  href: string,
  parameters: string,
): { href: string; path: string } {
  const whole = bases.join('') + href;
  if (/^[a-z][a-z+.-]*:/i.test(whole)) {
    throw new PackageError(`The manifest launches a URL outside of the package: ${whole}`);
  }
  const end = whole.search(/[?#]/);
  const [name, rest] = end < 0 ? [whole, ''] : [whole.slice(0, end), whole.slice(end)];
  const path = packagePath(decodeAddress(name));
  const address = path.split('/').map(encodeURIComponent).join('/') + rest;
  return { href: withParameters(address, parameters.trim()), path };
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
