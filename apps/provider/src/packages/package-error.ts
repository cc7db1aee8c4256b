/**
 * The course package is not acceptable. The message is one sentence for the person who uploaded
 * the package, and names the problem.
 */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}
