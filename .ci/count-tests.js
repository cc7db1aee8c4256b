/**
 * Lists the failures of a run of Vitest, and counts its tests in the last line: `N passed, N failed`.
 *
 * `node .ci/count-tests.js RESULTS EXIT_CODE`, with the file of Vitest's reporter `json`. A failure outside of the tests,
 * as in a hook or by an unhandled rejection, counts as one.
 */
import console from 'node:console';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const [, , results, exitCode] = process.argv;
const { numPassedTests, testResults } = JSON.parse(readFileSync(results, 'utf8'));
const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${name}: ${message || 'a hook failed'}`];
  return failed.map(({ fullName }) => `${name}: ${fullName}`);
});
if (failures.length === 0 && exitCode !== '0') failures.push('the run of the suites');
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${numPassedTests} passed, ${failures.length} failed`);
