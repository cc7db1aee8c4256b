import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import {
  managementUrls,
  type RunningSystem,
  scrapeMetrics,
  type ScrapedMetric,
} from '#libs/testing';

const contexts = ['provider', 'identity', 'catalog', 'enrolment', 'crawler'];
/** The apps behind each word of the column "of". */
const owners: Readonly<Record<string, readonly string[]>> = {
  'every app': [...contexts, 'gateway'],
  'every context': contexts,
};

/** A metric as the table of docs/operations.md describes it. */
interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly apps: readonly string[];
  /** The words that stand there as code: labels, and values of theirs. */
  readonly words: readonly string[];
}

async function documentedMetrics(): Promise<DocumentedMetric[]> {
  const page = await readFile(new URL('../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| `(registrar_\w+)` \| (\w+) \| [\w ]+ \| ([\w ]+) \| (.+) \|$/gm);
  return [...rows].map(([, name = '', type = '', of = '', says = '']) => ({
    name,
    type,
    apps: owners[of] ?? [of],
    words: [...says.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  }));
}

/** The table of metrics and what monitoring really sees are the same. */
export function describeDocumentedMetrics(running: () => RunningSystem): void {
  it('has the metrics that are documented, each with its type and labels, and no others', async () => {
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
    // Every app knows the metrics of the bus; those that it has no part in stay empty.
    const used = ours.filter(({ isUsed }) => isUsed).map(fact);
    expect(used.filter((each) => !wanted.includes(each))).toEqual([]);
    const untold = ours.flatMap(({ name, labels }) => {
      const words = documented.find((metric) => metric.name === name)?.words ?? [];
      return labels.filter((label) => !words.includes(label)).map((label) => `${name}: ${label}`);
    });
    expect(untold).toEqual([]);
  });
}
