/**
 * A course package that cannot be accepted. The message is for whoever uploaded it: one sentence
 * that names what is wrong.
 */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}
