import { scrapeMetrics } from '@registrar/testing';
import type { Target } from './target.ts';

/** The sum of all series of a metric in all apps. */
export async function sumOfMetric({ processesOfApps }: Target, name: string): Promise<number> {
  const urls = processesOfApps.flatMap(({ managementUrls }) => managementUrls);
  const sums = urls.map(async (managementUrl) =>
    (await scrapeMetrics({ managementUrl })).sum(name),
  );
  return (await Promise.all(sums)).reduce((all, sum) => all + sum, 0);
}
