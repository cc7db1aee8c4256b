import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';

export const monitoringFolder = 'k8s/components/monitoring';

const alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
  annotations: z.strictObject({
    summary: z.string(),
    description: z.string(),
    runbook_url: z.string(),
  }),
});
const recording = z.strictObject({
  record: z.string(),
  expr: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
});
const rule = z.union([alert, recording]);
const rules = z.object({
  spec: z.object({
    groups: z.array(
      z.strictObject({
        name: z.string(),
        interval: z.string().optional(),
        rules: z.array(rule),
      }),
    ),
  }),
});

/** The objects of the kind PrometheusRule. */
export const ruleFiles = [
  'alerts',
  'slo',
  'store-alerts',
  'broker-alerts',
  'database-alerts',
] as const;

/** The rules of a file in the format of Prometheus: groups with their alerts and recording rules. */
export const rulesOf = (file: (typeof ruleFiles)[number]) =>
  rules.parse(parse(readFileSync(`${monitoringFolder}/${file}.yaml`, 'utf8'))).spec;

/** The rules of all files. */
export const prometheusRules = { groups: ruleFiles.flatMap((file) => rulesOf(file).groups) };

export const alerts = prometheusRules.groups.flatMap((group) =>
  group.rules.filter((each) => 'alert' in each),
);

/** The runbook of each alert: its name and its text. */
export const alertPages = readdirSync('docs/alerts').map(
  (file) => [file.replace(/\.md$/, ''), readFileSync(`docs/alerts/${file}`, 'utf8')] as const,
);

const panel = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('row'), title: z.string() }),
  z.looseObject({
    type: z.literal('timeseries'),
    title: z.string(),
    description: z.string(),
    fieldConfig: z.object({ defaults: z.looseObject({ unit: z.string() }) }),
    targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).min(1),
  }),
]);
const dashboard = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
  panels: z.array(panel),
});

const { panels, templating } = dashboard.parse(
  JSON.parse(readFileSync(`${monitoringFolder}/dashboard.json`, 'utf8')),
);

/** The panels of the dashboard that show a graph. */
export const shownPanels = panels.filter((each) => each.type === 'timeseries');

/** The variables of the dashboard, with the queries of their values. */
export const dashboardVariables = templating.list;
