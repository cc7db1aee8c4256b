/** A metric as Prometheus sees it. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  /** Names of the labels of its series, without `app` and the `le` of histograms. */
  readonly labels: readonly string[];
  /** True when the metric has at least one series. */
  readonly isUsed: boolean;
}

/** The metrics of an app at one moment. */
export interface ScrapedMetrics {
  /**
   * Returns the value of the series with that name and, among others, those labels; undefined when
   * there is none.
   */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  /** Returns the sum of all series with that name and, among others, those labels. */
  readonly sum: (name: string, labels?: Readonly<Record<string, string>>) => number;
  readonly all: readonly ScrapedMetric[];
}

/** Scrapes the metrics of an app from its management port. */
export async function scrapeMetrics(app: {
  readonly managementUrl: string | null;
}): Promise<ScrapedMetrics> {
  if (!app.managementUrl) throw new Error('the app was started without a management port');
  const response = await fetch(`${app.managementUrl}/metrics`);
  return parseMetrics(await response.text());
}

/** Reads Prometheus's text format. */
export function parseMetrics(text: string): ScrapedMetrics {
  const lines = text.split('\n').filter((line) => !line.startsWith('#'));
  const seriesOf = (name: string, labels: Readonly<Record<string, string>> = {}) => {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return lines.filter(
      (line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)),
    );
  };
  return {
    value: (name, labels) => {
      const [found] = seriesOf(name, labels);
      return found === undefined ? undefined : valueOf(found);
    },
    sum: (name, labels) => seriesOf(name, labels).reduce((sum, line) => sum + valueOf(line), 0),
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

const valueOf = (line: string): number => Number(line.slice(line.lastIndexOf(' ')));

/**
 * Returns the management address of each app of a system started with `MANAGEMENT_PORT`, from the
 * system's log.
 */
export async function managementUrls(system: {
  log(): Promise<string>;
}): Promise<Map<string, string>> {
  const lines = (await system.log()).split('\n').filter(Boolean);
  const entries = lines.map(
    (line) => JSON.parse(line) as { app: string; msg: string; url: string },
  );
  const starts = entries.filter(({ msg }) => msg === 'serving health and metrics');
  return new Map(starts.map(({ app, url }) => [app, url]));
}

function labelsOf(name: string, lines: readonly string[]): string[] {
  const series = new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{`);
  const labels = lines
    .filter((line) => series.test(line))
    .flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label));
  return [...new Set(labels)];
}
