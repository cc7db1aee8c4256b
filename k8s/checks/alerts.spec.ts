import { describe, expect, it } from '@jest/globals';
import { findPrometheus } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  alertPages,
  alertRules,
  alerts,
  dashboardVariables,
  monitoringFolder,
  shownPanels,
} from './alerts.ts';

const names = alerts.map(({ alert }) => alert).sort();
const unitTests = `${monitoringFolder}/alerts.test.yaml`;

describe('the alerts', () => {
  it('every alert has a runbook, and every runbook an alert', () => {
    expect(alertPages.map(([name]) => name).sort()).toEqual(names);
    expect(alerts.map(({ annotations }) => annotations.runbook_url).sort()).toEqual(
      names.map((name) => `docs/alerts/${name}.md`),
    );
  });

  it.each(alertPages)('the runbook of %s has all sections', (name, page) => {
    const headings = [...page.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
    expect(headings).toEqual([`# ${name}`, '## What it means', '## How to look', '## What to do']);
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
    const { tests } = parse(readFileSync(unitTests, 'utf8')) as { tests: { name: string }[] };
    expect(tests.map(({ name }) => name.split(',')[0]).sort()).toEqual(names);
  });
});

describeWith(findPrometheus(), 'the alerts in Prometheus', () => {
  it('alerts fire after their duration and not before', () => {
    const directory = mkdtempSync(join(tmpdir(), 'registrar-alerts-'));
    try {
      writeFileSync(join(directory, 'alerts.rules.json'), JSON.stringify(alertRules));
      copyFileSync(unitTests, join(directory, 'alerts.test.yaml'));
      const options = { cwd: directory, encoding: 'utf8' } as const;
      expect(execFileSync('promtool', ['check', 'rules', 'alerts.rules.json'], options)).toContain(
        `${alerts.length} rules found`,
      );
      expect(execFileSync('promtool', ['test', 'rules', 'alerts.test.yaml'], options)).toContain(
        'SUCCESS',
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe('the dashboard', () => {
  it('has variables for the data source, the namespace and the app', () => {
    expect(dashboardVariables.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'app']);
  });

  it('restricts every panel to the selected namespace', () => {
    const everywhere = shownPanels.flatMap(({ title, targets }) =>
      targets.filter(({ expr }) => !expr.includes('namespace=~"$namespace"')).map(() => title),
    );
    expect(everywhere).toEqual([]);
  });
});
