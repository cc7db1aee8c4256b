import type { Attack } from './attack.ts';
import { busiestInputs, type BusyInput } from './busiest-inputs.ts';
import { type Caller, leastTurnMs, maxHeldMs } from './event-loop-turns.ts';
import { apiOf, form } from './http-client.ts';
import type { Target } from './target.ts';
import { createTenant } from './tenant.ts';

/** How often each request is sent at most. */
const rounds = { short: 15, long: 30 };

/** The lengths of bodies that are parsed: a little less than the greatest one. */
const sizes = {
  stranger: { json: 63 * 1024, form: 63 * 1024 },
  client: { json: 1_000 * 1024, form: 7.9 * 1024 * 1024 },
};

/** Whose event loop is measured, and how its requests are sent. */
interface Measured {
  readonly who: Caller;
  readonly app: 'gateway' | 'provider';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
}

/** Requests that keep a parser busy, one at a time; the longest turn of the event loop is measured (`monitorEventLoopDelay`). */
export const eventLoop: Attack = {
  name: 'event-loop',
  tried: `${busiestInputs(sizes.client).length} inputs of the greatest length at the gateway and the provider, without and with access`,
  async run(target, { long }) {
    const { pair, providerPair } = await createTenant(target, 'event-loop');
    const gateway = {
      app: 'gateway',
      url: `${apiOf(target)}/invitation/add_learners.json`,
    } as const;
    const provider = {
      app: 'provider',
      url: `${target.providerUrl}/api/v2/registrations`,
    } as const;
    const { sc_app_id, sc_secret_key } = providerPair;
    const basic = Buffer.from(`${sc_app_id}:${sc_secret_key}`).toString('base64');
    const none = { headers: {}, query: '' };
    const measured: Measured[] = [
      { who: 'stranger', ...gateway, ...none },
      { who: 'client', ...gateway, ...none, query: form(pair).toString() },
      { who: 'stranger', ...provider, ...none },
      { who: 'client', ...provider, ...none, headers: { authorization: `Basic ${basic}` } },
    ];
    const violations: string[] = [];
    let longest = 0;
    for (const each of measured) {
      for (const input of busiestInputs(sizes[each.who])) {
        const held = await heldMs(target, each, input, rounds[long ? 'long' : 'short']);
        longest = Math.max(longest, held);
        if (held <= maxHeldMs[each.who]) continue;
        violations.push(
          `${each.app}, ${each.who}, ${input.name}: ${held.toFixed(0)} ms, promised: ${maxHeldMs[each.who]} ms`,
        );
      }
    }
    return { violations, eventLoopDelayMs: longest };
  },
};

/** @returns the least of the longest turns that an input has caused, in milliseconds */
function heldMs(
  target: Target,
  { who, app, url, headers, query }: Measured,
  input: BusyInput,
  maxRounds: number,
): Promise<number> {
  const parameters = [query, input.query ?? ''].filter((each) => each !== '').join('&');
  const sent = {
    method: 'POST',
    headers: {
      ...headers,
      ...(input.type && { 'content-type': input.type }),
      ...(input.accept && { accept: input.accept }),
    },
    body: input.body ?? null,
  };
  const address = input.accept ? url.replace(/\.json$/, '') : url;
  return leastTurnMs(target, app, who, maxRounds, async () => {
    const response = await fetch(`${address}?${parameters}`, sent).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
  });
}
