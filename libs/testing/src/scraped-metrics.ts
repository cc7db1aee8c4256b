/** What monitoring sees of an app at one moment. */
export interface ScrapedMetrics {
  /** The series of that name that has these labels, among others; undefined when there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
}

/** Asks an app for its metrics, as monitoring does. */
export async function scrapeMetrics(app: {
  readonly managementUrl: string | null;
}): Promise<ScrapedMetrics> {
  if (!app.managementUrl) throw new Error('the app was started without a management port');
  const response = await fetch(`${app.managementUrl}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => !line.startsWith('#'));
  return {
    value: (name, labels = {}) => {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const found = lines.find(
        (line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)),
      );
      return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')));
    },
  };
}
