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
  /** How often each rule of a warning was found. */
  readonly #counts = new Map<string, number>();
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
    const first = new Map<string, string>();
    for (const { rule, message } of this.#kept.warning.shown) {
      if (!first.has(rule)) first.set(rule, message);
    }
    return [...first].map(([rule, message]) => {
      const more = (this.#counts.get(rule) ?? 0) - 1;
      return more > 0 ? `${message} (and ${more} more)` : message;
    });
  }

  #keep(finding: PackageFinding): void {
    const { severity, rule } = finding;
    const kept = this.#kept[severity];
    const isKnown = kept.shown.some((other) => isSame(other, finding));
    if (isKnown) return;
    kept.count += 1;
    if (severity === 'warning') this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    if (kept.shown.length < shownFindings) kept.shown.push(finding);
  }
}

const isSame = (one: PackageFinding, other: PackageFinding): boolean =>
  one.rule === other.rule &&
  one.file === other.file &&
  one.line === other.line &&
  one.message === other.message;
