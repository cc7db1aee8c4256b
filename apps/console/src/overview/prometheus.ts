import { clock } from '@registrar/platform';
import * as z from 'zod';
import type { History, Sample } from './overview.ts';

/** The time of each query: milliseconds. */
const timeoutMs = 3_000;

const matrix = z.object({
  data: z.object({
    result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })).max(1),
  }),
});

/** The shortest window of a rate: it has two samples of targets that are scraped every minute, Prometheus's default. */
const minWindowSeconds = 240;

/** What each value of a sample is in PromQL, over windows of a length. */
export const queries = {
  requestsPerSecond: (window) => `sum(rate(registrar_http_request_seconds_count[${window}]))`,
  // There is no series before the first failure.
  failuresPerSecond: (window) =>
    `sum(rate(registrar_http_request_seconds_count{fault="server"}[${window}])) or 0 * sum(rate(registrar_http_request_seconds_count[${window}]))`,
  p95Ms: (window) =>
    `1000 * histogram_quantile(0.95, sum by (le) (rate(registrar_http_request_seconds_bucket[${window}])))`,
  outboxWaiting: () => 'sum(max by (app) (registrar_outbox_events{state="waiting"}))',
  outboxOldestSeconds: () => 'max(registrar_outbox_oldest_seconds)',
  parkedEvents: () =>
    'sum(max by (app) (registrar_parked_events)) + sum(max by (app) (registrar_outbox_events{state="parked"}))',
} satisfies Record<Exclude<keyof Sample, 'at'>, (window: string) => string>;

/**
 * Reads the history of the gateway and the outboxes from Prometheus (HTTP API, range queries).
 *
 * @throws {Error} when it does not answer in time, or not as Prometheus does
 */
export async function readPrometheus(
  url: string,
  { stepSeconds, steps }: { readonly stepSeconds: number; readonly steps: number },
): Promise<History> {
  const end = Math.floor(clock.now() / 1_000 / stepSeconds) * stepSeconds;
  const start = end - (steps - 1) * stepSeconds;
  const window = `${Math.max(stepSeconds, minWindowSeconds)}s`;
  const entries = await Promise.all(
    Object.entries(queries).map(async ([name, queryOf]) => {
      const query = new URLSearchParams({
        query: queryOf(window),
        start: String(start),
        end: String(end),
        step: String(stepSeconds),
      });
      const response = await fetch(`${url.replace(/\/$/, '')}/api/v1/query_range`, {
        method: 'POST',
        body: query,
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`Prometheus answered ${response.status}`);
      const { data } = matrix.parse(await response.json());
      return [name, new Map(data.result[0]?.values)] as const;
    }),
  );
  const values = Object.fromEntries(entries);
  const samples = Array.from({ length: steps }, (_each, step): Sample => {
    const at = start + step * stepSeconds;
    const valueOf = (name: keyof typeof queries) => {
      const value = Number(values[name]?.get(at) ?? NaN);
      return Number.isFinite(value) ? value : null;
    };
    return {
      at: new Date(at * 1_000).toISOString(),
      requestsPerSecond: valueOf('requestsPerSecond'),
      failuresPerSecond: valueOf('failuresPerSecond'),
      p95Ms: valueOf('p95Ms'),
      outboxWaiting: valueOf('outboxWaiting'),
      outboxOldestSeconds: valueOf('outboxOldestSeconds'),
      parkedEvents: valueOf('parkedEvents'),
    };
  });
  const isKnown = ({ at: _at, ...each }: Sample) => Object.values(each).some((v) => v !== null);
  return { stepSeconds, samples: samples.filter(isKnown) };
}
