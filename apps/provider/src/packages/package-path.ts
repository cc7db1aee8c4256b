import { refusal } from './package-error.ts';
import type { PackageRule } from './package-rules.ts';

const maxLength = 1024;

interface PathSource {
  /** Begins the message of an error. */
  readonly subject: string;
  readonly rule: PackageRule;
}

const entryOfZip: PathSource = { subject: 'The package contains a file', rule: 'zip-path' };
/** A path in a manifest. */
export const hrefOfManifest: PathSource = {
  subject: 'The manifest of the package refers to a file',
  rule: 'href-outside',
};

/**
 * Normalizes the path of a file inside its package: relative, separated by `/`, without `.` and
 * empty segments.
 *
 * @param source what names the file, and the rule that it follows
 * @throws {PackageError} if the path is absolute, has a `..` segment or is too long
 */
export function packagePath(name: string, { subject, rule }: PathSource = entryOfZip): string {
  const path = name.replaceAll('\\', '/');
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  if (path.length > maxLength || /[\u0000-\u001f]/.test(path)) {
    throw refusal(rule, `${subject} with an invalid name.`);
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) {
    throw refusal(rule, `${subject} with an absolute path: ${path}`);
  }
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw refusal(rule, `${subject} whose path leads out of it: ${path}`);
  }
  return parts.join('/');
}
