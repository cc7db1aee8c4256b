import { randomUUID } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import { beforeDeadline } from '../before-deadline.ts';
import { runOperation } from '../operation.ts';

/** How long a value may be looked up: milliseconds; monitoring waits for about 10 s. */
const sampleTime = 2_000;

/**
 * A gauge that is looked up when monitoring asks for it: a number, or with `label` one for each of
 * its values. While it cannot be looked up, as when the database is away, there is no number.
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
      const found = await inTime(gauge.name, sample).catch(() => null);
      this.reset();
      if (typeof found === 'number') this.set(found);
      else if (!label) this.remove();
      else
        for (const [key, value] of Object.entries(found ?? {})) this.set({ [label]: key }, value);
    },
  });
}

function inTime<T>(name: string, sample: () => Promise<T>): Promise<T> {
  const operation = { requestId: randomUUID(), deadline: Date.now() + sampleTime };
  return beforeDeadline(runOperation(operation, sample), operation.deadline, name);
}
