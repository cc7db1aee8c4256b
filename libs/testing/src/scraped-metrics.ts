import type { RunningSystem } from './running-system.ts';

/** A metric as monitoring sees it. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  /** The labels of its series, apart from `app` and what a histogram's buckets have. */
  readonly labels: readonly string[];
  /** Whether it has any series yet. */
  readonly isUsed: boolean;
}

/** What monitoring sees of an app at one moment. */
export interface ScrapedMetrics {
  /** The series of that name that has these labels, among others; undefined when there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  readonly all: readonly ScrapedMetric[];
}

/** Asks an app for its metrics, as monitoring does. */
export async function scrapeMetrics(app: {
  readonly managementUrl: string | null;
}): Promise<ScrapedMetrics> {
  if (!app.managementUrl) throw new Error('the app was started without a management port');
  const response = await fetch(`${app.managementUrl}/metrics`);
  const text = await response.text();
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  return {
    value: (name, labels = {}) => {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const found = lines.find(
        (line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)),
      );
      return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')));
    },
    all: [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => {
      const labels = labelsOf(name, lines);
      return {
        name,
        type,
        labels: labels.filter((label) => label !== 'app' && label !== 'le'),
        isUsed: labels.length > 0,
      };
    }),
  };
}

/** Where each app of a system with a `MANAGEMENT_PORT` tells its metrics, as its log says. */
export async function managementUrls(system: RunningSystem): Promise<Map<string, string>> {
  const lines = (await system.log()).split('\n').filter(Boolean);
  const told = lines.map((line) => JSON.parse(line) as { app: string; msg: string; url: string });
  const starts = told.filter(({ msg }) => msg === 'health and metrics are told');
  return new Map(starts.map(({ app, url }) => [app, url]));
}

function labelsOf(name: string, lines: readonly string[]): string[] {
  const series = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{`);
  const labels = lines
    .filter((line) => series.test(line))
    .flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
  return [...new Set(labels)];
}
