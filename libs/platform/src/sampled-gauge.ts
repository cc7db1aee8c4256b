import { clock } from './clock.ts';
import { Gauge, type Registry } from 'prom-client';
import { runWithin, withDeadline } from './request-context.ts';

/** The time limit of a sample: milliseconds. Prometheus waits for about 10 s. */
const sampleTimeoutMs = 2_000;

/**
 * Registers a gauge that is sampled at each scrape. A sample is a number, or with `label` a number per
 * label value. While sampling fails, for example because the database is unavailable, the gauge has
 * no value.
 */
export function sampledGauge(
  registry: Registry,
  gauge: { readonly name: string; readonly help: string; readonly label?: string },
  sample: () => Promise<number | Readonly<Record<string, number>>>,
): void {
  const { label, ...described } = gauge;
  new Gauge({
    ...described,
    labelNames: label ? [label] : [],
    registers: [registry],
    async collect() {
      const value = await withinTimeout(gauge.name, sample).catch(() => null);
      this.reset();
      if (typeof value === 'number') this.set(value);
      else if (!label) this.remove();
      else
        for (const [key, count] of Object.entries(value ?? {})) this.set({ [label]: key }, count);
    },
  });
}

function withinTimeout<T>(name: string, sample: () => Promise<T>): Promise<T> {
  const deadline = clock.now() + sampleTimeoutMs;
  return withDeadline(runWithin(sampleTimeoutMs, sample), deadline, name);
}
