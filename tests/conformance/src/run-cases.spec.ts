import { describe, expect, it } from 'vitest';
import { allCases } from './all-cases.ts';
import { conformanceCase, SkippedCase } from './conformance-case.ts';
import { ruleOf, rules, rulesOfPage, settledRules } from './contract.ts';
import { checkCoverage, missingSuites, uncovered } from './coverage.ts';
import { coveredElsewhere } from './covered-elsewhere.ts';
import { Installation } from './installation.ts';
import { report } from './report.ts';
import { runCases } from './run-cases.ts';

const unreachable = new Installation({
  base_url: 'http://localhost:9/api/v2',
  realm_guid: '',
  realm_secret_key: '',
  sc_app_id: '',
  sc_secret_key: '',
  course_guid: '',
});

describe('the rules of the contract', () => {
  it('the rules of the contract are the anchors of a page that do not mark a section', () => {
    const page = [
      '<a id="index"></a>',
      '',
      '## Index',
      '',
      '| <a id="title"></a>`title` | text |',
      '- <a id="combine"></a>',
      '  Filters combine with AND.',
    ].join('\n');
    expect(rulesOfPage('page', page).map(({ rule }) => rule)).toEqual([
      ruleOf('page', 'title'),
      ruleOf('page', 'combine'),
    ]);
  });

  it('the rules of the contract are settled where their row, their item or their section says so', () => {
    const page = [
      '## Index',
      '| <a id="a"></a>`a` | text |',
      '| <a id="b"></a>`b` | text. *Settled here.* |',
      '- <a id="c"></a>',
      '  Of two lines.',
      '  *Settled here.*',
      '- <a id="d"></a>',
      '  Filters combine.',
      '',
      '*Settled here.*',
      '## Record',
      '*All settled here.*',
      '| <a id="e"></a>`e` | text |',
      '## Show',
      '- <a id="f"></a>',
      '  The last line.',
    ].join('\n');
    const settled = rulesOfPage('page', page).filter(({ isSettled }) => isSettled);
    expect(settled.map(({ rule }) => rule)).toEqual([
      ruleOf('page', 'b'),
      ruleOf('page', 'c'),
      ruleOf('page', 'e'),
    ]);
  });

  it('the rules of the contract are read from docs/contract', () => {
    expect(rules).toContain('contract/courses#include-registrations');
    expect(rules).not.toContain('contract/courses#index');
    expect(rules.length).toBeGreaterThan(400);
    expect(settledRules).toContain('contract/course-providers#record-name');
    expect(settledRules).not.toContain('contract/courses#include-registrations');
  });
});

describe('the coverage of the contract', () => {
  it('includes every rule', () => {
    expect(uncovered(allCases)).toEqual([]);
  });

  it('names only suites that exist', () => {
    expect(missingSuites()).toEqual([]);
  });

  it('reports a rule that nothing covers', () => {
    const elsewhere = new Set(coveredElsewhere.map(({ rule }) => rule));
    const [rule, ...others] = rules.filter((each) => !elsewhere.has(each));
    const rest = conformanceCase('rest', others, async () => undefined);
    expect(() => checkCoverage([rest])).toThrow(`no case covers ${rule}`);
    expect(uncovered([rest])).toEqual([rule]);
  });

  it('reports a case without a rule, an unknown rule and a name that two cases have', () => {
    const none = async () => undefined;
    const all = conformanceCase('all', rules, none);
    expect(() => checkCoverage([all])).not.toThrow();
    expect(() => checkCoverage([all, conformanceCase('nothing', [], none)])).toThrow(
      /^the case "nothing" covers no rule$/,
    );
    const unknown = conformanceCase('unknown', [ruleOf('courses', 'unknown')], none);
    expect(() => checkCoverage([all, unknown])).toThrow(/named by "unknown", does not exist$/);
    expect(() => checkCoverage([all, all])).toThrow(/^two cases have the name "all"$/);
  });
});

describe('a run', () => {
  const cases = [
    conformanceCase('good', ['contract/access#one-mode'], async () => undefined),
    conformanceCase('bad', ['contract/access#one-mode', 'contract/access#two-modes'], async () => {
      throw new Error('fetch failed', { cause: new Error('connection refused') });
    }),
    conformanceCase('impossible', ['contract/access#api-key'], async () => {
      throw new SkippedCase('there is no provider');
    }),
  ];

  it('continues after a failure and keeps the order of the cases', async () => {
    const results = await runCases(cases, unreachable, 2);
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', ''],
      ['failed', 'fetch failed: connection refused'],
      ['skipped', 'there is no provider'],
    ]);
  });

  it('a run is reported rule by rule', async () => {
    const text = report(await runCases(cases, unreachable, 2));
    expect(text).toMatch(/^contract\/access#one-mode +failed +1\/2$/m);
    expect(text).toMatch(/^contract\/access#two-modes +failed +0\/1$/m);
    expect(text).toMatch(/^contract\/access#api-key +skipped +0\/1$/m);
    expect(text).toMatch(/^contract\/access#realm-isolation +elsewhere +0\/0$/m);
    expect(text).toContain('3 cases: 1 passed, 1 failed, 1 skipped');
  });
});
