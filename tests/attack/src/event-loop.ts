import type { Attack } from './attack.ts';
import { type BodyRoute, bodyRoutes } from './body-routes.ts';
import { busiestInputs, type BusyInput } from './busiest-inputs.ts';
import { leastTurnMs, maxHeldMs } from './event-loop-turns.ts';
import { HttpClient } from './http-client.ts';
import type { Target } from './target.ts';

/** How often each request is sent at most. */
const rounds = { short: 15, long: 30 };

/** Requests that keep a parser busy, one at a time; the longest turn of the event loop is measured (`monitorEventLoopDelay`). */
export const eventLoop: Attack = {
  name: 'event-loop',
  tried:
    'inputs of the greatest length at every route of the gateway and the provider that reads a body, without and with access',
  async run(target, { long }) {
    const client = new HttpClient(target, '127.0.1.1');
    const violations: string[] = [];
    const lines: string[] = [];
    for (const route of await bodyRoutes(target, client)) {
      let longest = { ms: 0, input: '' };
      for (const input of busiestInputs(route.sizes)) {
        const ms = await heldMs(target, client, route, input, rounds[long ? 'long' : 'short']);
        if (ms > longest.ms) longest = { ms, input: input.name };
        if (ms <= maxHeldMs[route.who]) continue;
        violations.push(
          `${route.name}, ${route.who}, ${input.name}: ${ms.toFixed(0)} ms, promised: ${maxHeldMs[route.who]} ms`,
        );
      }
      const size = `${(route.sizes.json / 1024).toFixed(0)} KiB of JSON`;
      lines.push(
        `  ${longest.ms.toFixed(0).padStart(4)} ms  ${route.name}, ${route.who}, ${size}: ${longest.input}`,
      );
    }
    client.close();
    const longest = Math.max(...lines.map((line) => Number.parseInt(line, 10)));
    return { violations, eventLoopDelayMs: longest, detail: lines.join('\n') };
  },
};

/** @returns the least of the longest turns that an input has caused, in milliseconds */
async function heldMs(
  target: Target,
  client: HttpClient,
  { who, app, method, url, headers, query }: BodyRoute,
  input: BusyInput,
  maxRounds: number,
): Promise<number> {
  const given = typeof url === 'string' ? url : await url();
  const address = new URL(input.accept ? given.replace(/\.json$/, '') : given);
  address.search = [address.search.slice(1), query, input.query ?? '']
    .filter((each) => each !== '')
    .join('&');
  return leastTurnMs(target, app, who, maxRounds, () =>
    client.send(address.href, {
      method,
      headers: {
        ...headers,
        ...(input.type && { 'content-type': input.type }),
        ...(input.accept && { accept: input.accept }),
      },
      ...(input.body !== undefined && { body: input.body }),
    }),
  );
}
