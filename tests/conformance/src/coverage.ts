import { existsSync } from 'node:fs';
import type { ConformanceCase } from './conformance-case.ts';
import { type Rule, rules } from './contract.ts';
import { coveredElsewhere } from './covered-elsewhere.ts';

/** Rules that neither a case nor another suite covers. */
export function uncovered(
  cases: readonly ConformanceCase[],
  elsewhere: readonly { readonly rule: Rule }[] = coveredElsewhere,
): Rule[] {
  const covered = new Set([
    ...cases.flatMap(({ covers }) => covers),
    ...elsewhere.map(({ rule }) => rule),
  ]);
  return rules.filter((rule) => !covered.has(rule));
}

/** Suites of `coveredElsewhere` that do not exist. */
export const missingSuites = (): string[] =>
  coveredElsewhere
    .flatMap(({ suites }) => suites)
    .filter((suite) => !existsSync(new URL(`../../../${suite}`, import.meta.url)));

/**
 * @throws when nothing covers a rule, a case covers none or one that does not exist, two cases have
 * the same name, or a suite that covers a rule elsewhere does not exist
 */
export function checkCoverage(cases: readonly ConformanceCase[]): void {
  const known = new Set(rules);
  const faults = [
    ...uncovered(cases).map((rule) => `no case covers ${rule}`),
    ...cases
      .filter(({ covers }) => covers.length === 0)
      .map(({ name }) => `the case "${name}" covers no rule`),
    ...[
      ...cases.flatMap(({ name, covers }) => covers.map((rule) => ({ rule, by: `"${name}"` }))),
      ...coveredElsewhere.map(({ rule }) => ({ rule, by: 'coveredElsewhere' })),
    ]
      .filter(({ rule }) => !known.has(rule))
      .map(({ rule, by }) => `${rule}, named by ${by}, does not exist`),
    ...cases
      .filter(({ name }, index) => cases.findIndex((each) => each.name === name) < index)
      .map(({ name }) => `two cases have the name "${name}"`),
    ...missingSuites().map((suite) => `the suite ${suite} does not exist`),
  ];
  if (faults.length > 0) throw new Error(faults.join('; '));
}
