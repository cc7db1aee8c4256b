import { expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { type RunningSystem } from '@registrar/standalone/testing';
import { managementUrls, scrapeMetrics, type ScrapedMetric } from '@registrar/testing';

const contexts = ['provider', 'identity', 'catalog', 'enrolment', 'crawler'];
/** The apps that each entry of the table's column "of" stands for. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'every app': [...contexts, 'gateway', 'console'],
  'every context': contexts,
  'gateway and provider': ['gateway', 'provider'],
  'gateway, provider and console': ['gateway', 'provider', 'console'],
};

/** A metric as the table of docs/operations.md describes it. */
interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly apps: readonly string[];
  /** The words in code font: labels and their values. */
  readonly words: readonly string[];
}

async function documentedMetrics(): Promise<DocumentedMetric[]> {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(registrar_\w+)` \| (\w+) \| [\w ]+ \| ([\w, ]+) \| (.+) \|$/gm);
  return [...rows].map(([, name = '', type = '', of = '', says = '']) => ({
    name,
    type,
    apps: owners[of] ?? [of],
    words: [...says.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  }));
}

/** Compares the table of metrics in docs/operations.md with the scraped metrics. */
export function describeDocumentedMetrics(running: () => RunningSystem): void {
  it('every metric, its type and its labels are documented in docs/operations.md, and no others', async () => {
    const scraped: (ScrapedMetric & { app: string })[] = [];
    for (const [app, managementUrl] of await managementUrls(running())) {
      const { all } = await scrapeMetrics({ managementUrl });
      scraped.push(...all.map((metric) => ({ ...metric, app })));
    }
    const ours = scraped.filter(({ name }) => name.startsWith('registrar_'));
    const documented = await documentedMetrics();
    const fact = ({ name, type, app }: { name: string; type: string; app: string }) =>
      `${app}: ${name} (${type})`;
    const wanted = documented.flatMap(({ apps, ...metric }) =>
      apps.map((app) => fact({ ...metric, app })),
    );
    expect(wanted).not.toHaveLength(0);
    expect(wanted.filter((each) => !ours.map(fact).includes(each))).toEqual([]);
    // Every app exports the metrics of the bus; those of features that it does not use stay empty.
    const used = ours.filter(({ isUsed }) => isUsed).map(fact);
    expect(used.filter((each) => !wanted.includes(each))).toEqual([]);
    const undocumented = ours.flatMap(({ name, labels }) => {
      const words = documented.find((metric) => metric.name === name)?.words ?? [];
      return labels.filter((label) => !words.includes(label)).map((label) => `${name}: ${label}`);
    });
    expect(undocumented).toEqual([]);
  });
}
