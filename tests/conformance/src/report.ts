import { type Rule, rules } from './contract.ts';
import { coveredElsewhere } from './covered-elsewhere.ts';
import type { Result } from './run-cases.ts';

/** The report of a run: the rules, failures, skipped cases, and what other suites cover. */
export function report(results: readonly Result[]): string {
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (outcome) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`,
  );
  return [
    ruleTable(results),
    section('Failures', reasons(results, 'failed')),
    section('Skipped', reasons(results, 'skipped')),
    section(
      'Covered elsewhere',
      coveredElsewhere.map(({ rule, what, suites }) => `${rule}: ${what} (${suites.join(', ')})`),
    ),
    `${results.length} cases: ${counts.join(', ')}`,
    '',
  ].join('\n\n');
}

/** A line for each rule: its outcome, and how many of its cases passed. */
function ruleTable(results: readonly Result[]): string {
  const width = Math.max(...rules.map((rule) => rule.length));
  return rules
    .map((rule) => {
      const own = results.filter(({ testCase }) => testCase.covers.includes(rule));
      const passed = own.filter(({ outcome }) => outcome === 'passed').length;
      const outcome = outcomeOf(rule, own);
      return `${rule.padEnd(width)}  ${outcome.padEnd(9)}  ${passed}/${own.length}`;
    })
    .join('\n');
}

function outcomeOf(rule: Rule, own: readonly Result[]): string {
  if (own.length === 0 && coveredElsewhere.some((each) => each.rule === rule)) return 'elsewhere';
  if (own.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return own.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'skipped';
}

const reasons = (results: readonly Result[], outcome: Result['outcome']) =>
  results
    .filter((result) => result.outcome === outcome)
    .map(
      ({ testCase, reason }) =>
        `${testCase.name}\n    ${testCase.covers.join(', ')}\n    ${reason}`,
    );

const section = (title: string, lines: readonly string[]) =>
  `${title}:\n${(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`).join('\n')}`;
