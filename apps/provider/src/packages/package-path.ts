import { PackageError } from './package-error.ts';

const maxLength = 1024;

/**
 * Normalizes the path of a file inside its package: relative, separated by `/`, without `.` and
 * empty segments.
 *
 * @throws {PackageError} if the path is absolute, has a `..` segment or is too long
 */
export function packagePath(name: string): string {
  const path = name.replaceAll('\\', '/');
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  if (path.length > maxLength || /[\u0000-\u001f]/.test(path)) {
    throw new PackageError('The package contains a file with an invalid name.');
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) {
    throw new PackageError(`The package contains a file with an absolute path: ${path}`);
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new PackageError(`The package contains a file whose path leads out of it: ${path}`);
  }
  return parts.join('/');
}
