import { PackageError } from './package-error.ts';

const longest = 1024;

/**
 * The path of a file inside its package: relative, with `/` between its parts, none of which
 * leads upwards.
 *
 * @throws {PackageError} when the name would lead out of the package
 */
export function packagePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (path.length > longest || /[\u0000-\u001f]/.test(path)) {
    throw new PackageError('The package holds a file with an unusable name.');
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) {
    throw new PackageError(`The package holds a file with an absolute path: ${path}`);
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new PackageError(`The package holds a file whose path leads out of it: ${path}`);
  }
  return parts.join('/');
}
