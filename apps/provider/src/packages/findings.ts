import type { FindingSeverity, PackageFinding } from '@registrar/contracts';
import { PackageError } from './package-error.ts';
import { findingOf, type Place } from './package-finding.ts';
import type { PackageRule } from './package-rules.ts';

/** The findings that are shown, before the one that says how many more there are. */
export const shownFindings = 100;

const severities: readonly FindingSeverity[] = ['error', 'warning', 'info'];

interface Kept {
  readonly shown: PackageFinding[];
  /** How many of the severity there are. */
  count: number;
}

/** Collects what is found in a package. It keeps no more than it shows. */
export class Findings {
  readonly #kept: Readonly<Record<FindingSeverity, Kept>> = {
    error: { shown: [], count: 0 },
    warning: { shown: [], count: 0 },
    info: { shown: [], count: 0 },
  };
  /** The warnings of each rule: the message of the first, and how many there are. */
  readonly #warnings = new Map<string, { readonly first: string; count: number }>();
  #thrown: PackageError | null = null;

  add(rule: PackageRule, message: string, place?: Place): void {
    this.#keep(findingOf(rule, message, place));
  }

  /**
   * Adds what an error has found, so that more can be found after it.
   *
   * @param place of findings that have none
   * @throws any other error
   */
  addRefusal(error: unknown, place?: Place): void {
    // Its findings are here.
    if (error === this.#thrown) return;
    if (!(error instanceof PackageError)) throw error;
    for (const finding of error.findings) {
      const { file, line } = finding.file === null && place ? place : finding;
      this.#keep({ ...finding, file, line: line ?? null });
    }
  }

  /** Whether the package cannot be imported. */
  get hasErrors(): boolean {
    return this.#kept.error.count > 0;
  }

  /** @throws {PackageError} if the package cannot be imported */
  assertNoErrors(): void {
    if (!this.hasErrors) return;
    this.#thrown = new PackageError(this.list());
    throw this.#thrown;
  }

  /** Returns the findings, errors first. */
  list(): PackageFinding[] {
    const all = severities.flatMap((severity) => this.#kept[severity].shown);
    const total = severities.reduce((sum, severity) => sum + this.#kept[severity].count, 0);
    if (total <= shownFindings) return all;
    const shown = all.slice(0, shownFindings);
    const errors = Math.max(0, this.#kept.error.count - shownFindings);
    const message = `${total - shownFindings} more findings are not shown, ${errors} of them errors.`;
    return [...shown, findingOf('more-findings', message)];
  }

  /** Returns the warnings in sentences: one for each rule, which tells of the first place. */
  warnings(): string[] {
    return [...this.#warnings.values()].map(({ first, count }) =>
      count > 1 ? `${first} (and ${count - 1} more)` : first,
    );
  }

  #keep(finding: PackageFinding): void {
    const { severity, rule, message } = finding;
    const kept = this.#kept[severity];
    const isKnown = kept.shown.some((other) => isSame(other, finding));
    if (isKnown) return;
    kept.count += 1;
    if (severity === 'warning') {
      const ofRule = this.#warnings.get(rule);
      if (ofRule) ofRule.count += 1;
      else this.#warnings.set(rule, { first: message, count: 1 });
    }
    if (kept.shown.length < shownFindings) kept.shown.push(finding);
  }
}

const isSame = (one: PackageFinding, other: PackageFinding): boolean =>
  one.rule === other.rule &&
  one.file === other.file &&
  one.line === other.line &&
  one.message === other.message;
