import { paragraphs } from './contract.ts';
import { coveredElsewhere } from './coverage.ts';
import type { Result } from './run-cases.ts';

/** The whole report: paragraphs, failures, what was not tried, what is covered elsewhere. */
export function report(results: readonly Result[]): string {
  const counts = (['passed', 'failed', 'not tried'] as const).map(
    (outcome) => `${results.filter((result) => result.outcome === outcome).length} ${outcome}`,
  );
  return [
    paragraphTable(results),
    section('Failures', reasons(results, 'failed')),
    section('Not tried', reasons(results, 'not tried')),
    section(
      'Covered elsewhere',
      coveredElsewhere.map(({ paragraph, what, where }) => `${paragraph}: ${what}; ${where}`),
    ),
    `${results.length} cases: ${counts.join(', ')}`,
    '',
  ].join('\n\n');
}

/** A line for each paragraph: how many of its cases passed, and its verdict. */
function paragraphTable(results: readonly Result[]): string {
  const width = Math.max(...paragraphs.map((paragraph) => paragraph.length));
  return paragraphs
    .map((paragraph) => {
      const own = results.filter(({ tried }) => tried.covers.includes(paragraph));
      const passed = own.filter(({ outcome }) => outcome === 'passed').length;
      const verdict = verdictOf(own);
      return `${paragraph.padEnd(width)}  ${verdict.padEnd(9)}  ${passed}/${own.length}`;
    })
    .join('\n');
}

function verdictOf(own: readonly Result[]): string {
  if (own.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return own.some(({ outcome }) => outcome === 'passed') ? 'passed' : 'not tried';
}

const reasons = (results: readonly Result[], outcome: Result['outcome']) =>
  results
    .filter((result) => result.outcome === outcome)
    .map(({ tried, reason }) => `${tried.name}\n    ${tried.covers.join('; ')}\n    ${reason}`);

const section = (title: string, lines: readonly string[]) =>
  `${title}:\n${(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`).join('\n')}`;
