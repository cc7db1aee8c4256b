import type { PackageFinding } from '@registrar/contracts';
import { findingOf, type Place } from './package-finding.ts';
import type { PackageRule } from './package-rules.ts';

/** An import is not possible. The message is one sentence for the person who requested it. */
export class ImportError extends Error {
  override readonly name: string = 'ImportError';
}

/** The course package is not acceptable. The message is that of the first finding. */
export class PackageError extends ImportError {
  override readonly name = 'PackageError';
  /** What was found in the package, errors first. */
  readonly findings: readonly PackageFinding[];

  constructor(findings: readonly PackageFinding[], options?: ErrorOptions) {
    super(findings[0]?.message, options);
    this.findings = findings;
  }
}

/** The error of a package in which nothing else was found. */
export const refusal = (
  rule: PackageRule,
  message: string,
  place?: Place,
  options?: ErrorOptions,
): PackageError => new PackageError([findingOf(rule, message, place)], options);
