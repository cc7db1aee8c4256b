import type { PackageFinding } from '@registrar/contracts';
import { packageRules, type PackageRule } from './package-rules.ts';

/** Where something was found; the whole package by default. */
export interface Place {
  /** A path in the package. */
  readonly file: string;
  /** From 1; absent if no line is meant. */
  readonly line?: number | undefined;
}

/** The most characters of a text, as `findingTextLength` of the contracts, which need a library to load. */
const textLength = 1024;

/** One line of text that PostgreSQL can store. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the expression matches control characters
  const line = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  const part = line.length > textLength ? `${line.slice(0, textLength - 1)}…` : line;
  return part.toWellFormed();
}

export const findingOf = (rule: PackageRule, message: string, place?: Place): PackageFinding => ({
  severity: packageRules[rule].severity,
  file: place ? shown(place.file) : null,
  line: place?.line ?? null,
  rule,
  message: shown(message),
  remedy: packageRules[rule].remedy,
});
