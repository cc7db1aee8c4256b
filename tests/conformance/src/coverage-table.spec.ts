/* oxlint-disable registrar/contract-citations -- The spec holds citations that must not resolve. */
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { allCases } from './all-cases.ts';
import { conformanceCase } from './conformance-case.ts';
import { ruleOf, rules, settledRules } from './contract.ts';
import { coverageFaults, coverageRows } from './coverage-table.ts';
import { coveredElsewhere } from './covered-elsewhere.ts';

const page = readFileSync(new URL('../../../docs/contract/coverage.md', import.meta.url), 'utf8');

describe('docs/contract/coverage.md', () => {
  it('names rules, cases and suites that exist, and every rule that is not marked as settled', () => {
    const contract = { rules, settled: settledRules, cases: allCases, elsewhere: coveredElsewhere };
    expect(coverageFaults(coverageRows(page), contract)).toEqual([]);
  });

  it('docs/contract/coverage.md has more than 300 statements', () => {
    expect(coverageRows(page).length).toBeGreaterThan(300);
  });
});

describe('a coverage table', () => {
  const [said, other, own] = [
    ruleOf('page', 'said'),
    ruleOf('page', 'other'),
    ruleOf('page', 'own'),
  ];
  const suite = 'apps/gateway/src/http/settings.spec.ts';
  const contract = {
    rules: [said, other, own],
    settled: new Set([own]),
    cases: [
      conformanceCase('Area: shows it', [said], async () => undefined),
      conformanceCase('Area: shows another', [other], async () => undefined),
    ],
    elsewhere: [{ rule: said, what: 'a part', suites: [suite] }],
  };
  const link = (anchor: string) => `[page#${anchor}](page.md#${anchor})`;
  const faults = (...rows: readonly string[]) =>
    coverageFaults(
      coverageRows(['| statement | rule | shown by |', '|---|---|---|', ...rows].join('\n')),
      contract,
    );
  const complete = `| other | ${link('other')} | \`Area: shows another\` |`;

  it('a coverage table has no faults when each rule that is not settled stands in a row with what shows it', () => {
    const both = `\`Area: shows it\`, [settings.spec.ts](../../${suite})`;
    expect(faults(complete, `| A statement | ${link('said')} | ${both} |`)).toEqual([]);
    expect(faults(complete, `| A statement | ${link('said')} | none: it is an aim |`)).toEqual([]);
  });

  it('reports a rule, a case and a suite that do not exist or do not belong together', () => {
    expect(
      faults(
        complete,
        `| A | ${link('said')}, ${link('gone')} | \`Area: shows another\`, \`Area: gone\` |`,
        `| B | ${link('other')} | [settings.spec.ts](../../${suite}) |`,
      ),
    ).toEqual([
      '"A": contract/page#gone does not exist',
      '"A": the case "Area: shows another" covers another rule',
      '"A": there is no case "Area: gone"',
      `"B": covered-elsewhere.ts does not list ${suite} for its rules`,
    ]);
  });

  it('reports a row that lacks a rule or what shows it, and a rule without a row', () => {
    expect(
      faults(
        `| A | | \`Area: shows it\` |`,
        `| B | ${link('other')} | |`,
        '| C | none | none: an aim |',
      ),
    ).toEqual([
      '"A": the case "Area: shows it" covers another rule',
      '"A": it has no rule, or nothing shows it',
      '"B": it has no rule, or nothing shows it',
      'contract/page#said is not marked as settled, and stands in no row',
    ]);
  });
});
