import type { ConformanceCase } from './conformance-case.ts';
import { type Rule, ruleOf } from './contract.ts';
import type { CoveredElsewhere } from './covered-elsewhere.ts';

/** A statement of the specification of the API, as a row of docs/contract/coverage.md. */
export interface CoverageRow {
  /** In our own words. */
  readonly statement: string;
  /** The rules that say it. */
  readonly rules: readonly Rule[];
  /** The names of the cases that show it. */
  readonly cases: readonly string[];
  /** The suites that show it, relative to the repository's root. */
  readonly suites: readonly string[];
  /** Why there is no rule, or why nothing can show it; null for a row with both. */
  readonly reason: string | null;
}

/** The rows of the page's tables: statement, rules, and what shows them or the reason why nothing can. */
export const coverageRows = (markdown: string): CoverageRow[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| statement |'))
    .map((line) => {
      const [, statement = '', said = '', shown = ''] = line.split('|').map((cell) => cell.trim());
      return {
        statement,
        rules: [...said.matchAll(/\]\(([a-z-]+)\.md#([\w-]+)\)/g)].map(
          ([, page = '', anchor = '']) => ruleOf(page, anchor),
        ),
        cases: [...shown.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
        suites: [...shown.matchAll(/\]\(\.\.\/\.\.\/([^)]+)\)/g)].map(([, suite = '']) => suite),
        reason: /^none: (.+)/.exec(shown)?.[1] ?? null,
      };
    });

interface Contract {
  readonly rules: readonly Rule[];
  /** The rules that the specification does not state. */
  readonly settled: ReadonlySet<Rule>;
  readonly cases: readonly ConformanceCase[];
  readonly elsewhere: readonly CoveredElsewhere[];
}

/**
 * Faults of the table: rows that name a rule, case or suite that does not exist or has nothing to do with the row,
 * rows without any, and rules that are not settled and stand in no row.
 */
export function coverageFaults(
  rows: readonly CoverageRow[],
  { rules, settled, cases, elsewhere }: Contract,
): string[] {
  const named = new Set(rows.flatMap((row) => row.rules));
  const covers = new Map(cases.map((each) => [each.name, new Set(each.covers)]));
  const faultsOf = ({ rules: said, cases: shown, suites, reason }: CoverageRow): string[] => {
    const isSaid = (rule: Rule) => said.includes(rule);
    const known = said.filter((rule) => !rules.includes(rule));
    const unrelated = shown.filter((name) => !said.some((rule) => covers.get(name)?.has(rule)));
    const unlisted = suites.filter(
      (suite) => !elsewhere.some((each) => isSaid(each.rule) && each.suites.includes(suite)),
    );
    const shows = shown.length + suites.length > 0;
    return [
      ...known.map((rule) => `${rule} does not exist`),
      ...unrelated.map((name) =>
        covers.has(name) ? `the case "${name}" covers another rule` : `there is no case "${name}"`,
      ),
      ...unlisted.map((suite) => `covered-elsewhere.ts does not list ${suite} for its rules`),
      ...(reason === null && (said.length === 0 || !shows)
        ? ['it has no rule, or nothing shows it']
        : []),
      ...(reason !== null && shows ? ['it has both a reason and what shows it'] : []),
    ];
  };
  return [
    ...rows.flatMap((row) => faultsOf(row).map((fault) => `"${row.statement}": ${fault}`)),
    ...rules
      .filter((rule) => !settled.has(rule) && !named.has(rule))
      .map((rule) => `${rule} is not marked as settled, and stands in no row`),
  ];
}
