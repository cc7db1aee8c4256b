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

const shortened = (text: string) =>
  text.length > textLength ? `${text.slice(0, textLength - 1)}…` : text;

export const findingOf = (rule: PackageRule, message: string, place?: Place): PackageFinding => ({
  severity: packageRules[rule].severity,
  file: place ? shortened(place.file) : null,
  line: place?.line ?? null,
  rule,
  message: shortened(message),
  remedy: packageRules[rule].remedy,
});
