import { describe, expect, it } from '@jest/globals';
import { allCases } from './all-cases.ts';
import { NotTried, trial } from './conformance-case.ts';
import { paragraphs } from './contract.ts';
import { checkCoverage, uncovered } from './coverage.ts';
import { Installation } from './installation.ts';
import { report } from './report.ts';
import { runCases } from './run-cases.ts';

const nowhere = new Installation({
  base_url: 'http://localhost:9/api/v2',
  realm_guid: '',
  realm_secret_key: '',
  sc_app_id: '',
  sc_secret_key: '',
  course_guid: '',
});

describe('the cases', () => {
  it('name every paragraph of the contract', () => {
    expect(uncovered(allCases)).toEqual([]);
    expect(paragraphs.length).toBeGreaterThan(250);
  });

  it('are told of a paragraph that nobody names, and of a case that names none', () => {
    const named = trial('named', [...paragraphs.slice(1)], async () => undefined);
    const nameless = trial('nameless', [], async () => undefined);
    expect(() => checkCoverage([named, nameless])).toThrow(
      `no case names ${paragraphs[0]}; no paragraph is named by: nameless`,
    );
  });
});

describe('a run', () => {
  const cases = [
    trial('good', ['decision 1'], async () => undefined),
    trial('bad', ['decision 1', 'decision 2'], async () => {
      throw new Error('fetch failed', { cause: new Error('connection refused') });
    }),
    trial('beyond reach', ['decision 3'], async () => {
      throw new NotTried('there is no provider');
    }),
  ];

  it('goes on after a failure, and keeps the order of the cases', async () => {
    const results = await runCases(cases, nowhere, 2);
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', ''],
      ['failed', 'fetch failed: connection refused'],
      ['not tried', 'there is no provider'],
    ]);
  });

  it('is reported paragraph by paragraph', async () => {
    const text = report(await runCases(cases, nowhere, 2));
    expect(text).toMatch(/^decision 1 +failed +1\/2$/m);
    expect(text).toMatch(/^decision 2 +failed +0\/1$/m);
    expect(text).toMatch(/^decision 3 +not tried +0\/1$/m);
    expect(text).toContain('3 cases: 1 passed, 1 failed, 1 not tried');
  });
});
