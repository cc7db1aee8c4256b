import { describe, expect, it } from 'vitest';
import { findPrometheus } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  alertPages,
  alerts,
  dashboardVariables,
  monitoringFolder,
  ruleFiles,
  rulesOf,
  shownPanels,
} from './alerts.ts';

/** An alert of both stores has a rule for each. */
const names = [...new Set(alerts.map(({ alert }) => alert))].sort();

/** The lines of a page that a terminal or a browser shows without scrolling. */
const linesOfScreen = 24;

interface UnitTests {
  readonly tests: { readonly name: string }[];
}

describe('the alerts', () => {
  it('every alert has a runbook, and every runbook an alert', () => {
    expect(alertPages.map(([name]) => name).sort()).toEqual(names);
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
      alerts.map(({ alert }) => `docs/alerts/${alert}.md`),
    );
  });

  it.each(alertPages)('the runbook of %s has all sections', (name, page) => {
    const headings = [...page.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
    const sections = ['## Now', '## What it means', '## How to look', '## What to do'];
    expect(headings).toEqual([`# ${name}`, ...sections]);
  });

  it.each(alertPages)('the runbook of %s says on its first screen what to do now', (_, page) => {
    const lines = page.split('\n');
    expect(lines.indexOf('## Now')).toBe(2);
    expect(lines.indexOf('## What it means')).toBeLessThanOrEqual(linesOfScreen);
  });

  it('docs/operations.md links every runbook', () => {
    const manual = readFileSync('docs/operations.md', 'utf8');
    const linked = [...manual.matchAll(/\]\(alerts\/(\w+)\.md\)/g)].map(([, name]) => name);
    expect(linked.sort()).toEqual(names);
  });

  it('a dashboard panel describes every alert', () => {
    const told = shownPanels.map(({ description }) => description).join('\n');
    expect(names.filter((name) => !told.includes(name))).toEqual([]);
  });

  it('every alert has a unit test', () => {
    const tests = ruleFiles.flatMap((file) => {
      const text = readFileSync(join(monitoringFolder, `${file}.test.yaml`), 'utf8');
      return (parse(text) as UnitTests).tests;
    });
    const tested = new Set(tests.map(({ name }) => name.split(',')[0]));
    expect([...tested].sort()).toEqual(names);
  });
});

describeWith(findPrometheus(), 'the alerts in Prometheus', () => {
  it('alerts fire after their duration and not before', () => {
    const directory = mkdtempSync(join(tmpdir(), 'registrar-alerts-'));
    try {
      for (const file of ruleFiles) {
        writeFileSync(join(directory, `${file}.json`), JSON.stringify(rulesOf(file)));
        copyFileSync(
          join(monitoringFolder, `${file}.test.yaml`),
          join(directory, `${file}.test.yaml`),
        );
      }
      const promtool = (...words: string[]) =>
        execFileSync('promtool', words, { cwd: directory, encoding: 'utf8' });
      for (const file of ruleFiles) {
        const count = rulesOf(file).groups.flatMap((group) => group.rules).length;
        expect(promtool('check', 'rules', `${file}.json`)).toContain(`${count} rules found`);
        expect(promtool('test', 'rules', `${file}.test.yaml`)).toContain('SUCCESS');
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('the dashboard', () => {
  it('the dashboard has variables for the data source, the namespace and the app', () => {
    expect(dashboardVariables.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'app']);
  });

  it('restricts every panel to the selected namespace', () => {
    const everywhere = shownPanels.flatMap(({ title, targets }) =>
      targets.filter(({ expr }) => !expr.includes('namespace=~"$namespace"')).map(() => title),
    );
    expect(everywhere).toEqual([]);
  });
});
