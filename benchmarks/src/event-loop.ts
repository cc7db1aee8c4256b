import { startDistributedSystem } from '@registrar/standalone/testing';
import { managementUrls, scrapeMetrics } from '@registrar/testing';
import type { PromiseResult } from './report.ts';

/** The longest that one request may hold the gateway's event loop, without and with access. */
const maxHeldMs = { stranger: 20, client: 50 };

/** How often each request is sent. The least delay counts: other processes only add to it. */
const rounds = 5;

/** The precision of the gateway's metric, which contains it: milliseconds. */
const precisionMs = 10;

const mebibyte = 1024 * 1024;
const form = 'application/x-www-form-urlencoded';

interface Attempt {
  readonly name: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | FormData;
  readonly accept?: string;
}

/**
 * Sends the requests that keep a parser busiest, one at a time, and measures how long each holds the
 * event loop of the gateway (`monitorEventLoopDelay`).
 */
export async function measureEventLoop(
  brokerUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const system = await startDistributedSystem(brokerUrl, {
    MANAGEMENT_PORT: '9590',
    NODE_ENV: 'production',
  });
  try {
    const { base_url: base, realm_guid = '', realm_secret_key = '' } = system.quickstart;
    const managementUrl = (await managementUrls(system)).get('gateway') ?? null;
    const delayOf = async () => {
      const metrics = await scrapeMetrics({ managementUrl });
      return (metrics.value('nodejs_eventloop_lag_max_seconds') ?? 0) * 1_000 - precisionMs;
    };
    const send = async ({ query = '', type, body, accept }: Attempt, access: string) => {
      const separator = query && access ? '&' : '';
      const url = `${base}/invitation/add_learners${accept ? '' : '.json'}?${access}${separator}${query}`;
      const headers: Record<string, string> = {
        ...(type && { 'content-type': type }),
        ...(accept && { accept }),
      };
      const response = await fetch(url, { method: 'POST', headers, body: body ?? null }).catch(
        () => null,
      );
      await response?.arrayBuffer();
      return response?.status ?? 0;
    };
    const realm = new URLSearchParams({ realm_guid, realm_secret_key }).toString();
    const results: PromiseResult[] = [];
    for (const [who, access] of [
      ['stranger', ''],
      ['client', realm],
    ] as const) {
      for (const attempt of attempts()) {
        const delays: number[] = [];
        let status = 0;
        for (let round = 0; round < rounds; round += 1) {
          await delayOf();
          status = await send(attempt, access);
          delays.push(await delayOf());
        }
        const held = Math.max(0, Math.min(...delays));
        say(
          `${who}: ${attempt.name}: ${status}, ${delays.map((each) => each.toFixed(0)).join(' ')} ms`,
        );
        results.push({
          promise: `${who}, ${attempt.name}: at most ${maxHeldMs[who]} ms`,
          measured: `${held.toFixed(0)} ms`,
          kept: held <= maxHeldMs[who],
        });
      }
    }
    return results;
  } finally {
    await system.dispose();
  }
}

/** The requests: many names, many values, long values, deep and wide JSON, many parts. */
function attempts(): Attempt[] {
  const size = 7.9 * mebibyte;
  const fill = (text: string) => text.repeat(Math.floor(size / text.length));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const json = 'application/json';
  const learners = Array.from({ length: 20_000 }, (_, at) => `learner-${at}@learners.example.com`);
  const parts = new FormData();
  for (const name of names(999)) parts.set(name, 'a');
  const longFields = new FormData();
  for (const name of names(7)) longFields.set(name, 'é'.repeat(mebibyte / 2));
  return [
    { name: 'form names', type: form, body: names(900_000).join('&') },
    { name: 'form values of one name', type: form, body: fill('a=1&') },
    { name: 'one escaped form value', type: form, body: `learners=${fill('%e2%82%ac')}` },
    {
      name: 'values of equal length',
      type: form,
      body: names(1_000)
        .map((name) => `a=${'x'.repeat(8_000)}${name}`)
        .join('&'),
    },
    { name: 'ampersands', type: form, body: fill('&') },
    {
      name: 'JSON keys',
      type: json,
      body: JSON.stringify(Object.fromEntries(names(600_000).map((name) => [name, 1]))),
    },
    { name: 'JSON nulls', type: json, body: `{${fill('"a":null,')}"a":null}` },
    { name: 'JSON depth', type: json, body: `{"learners":${fill('[')}` },
    { name: 'JSON escapes', type: json, body: `{"learners":"${fill('\\u00e9')}"}` },
    { name: 'JSON numbers', type: json, body: `{"learners":[${'1,'.repeat(95_000)}1]}` },
    {
      name: 'nested JSON keys',
      type: json,
      body: `{"learners":{${names(95_000)
        .map((name) => `"${name}":{}`)
        .join(',')}}}`,
    },
    { name: 'parts', body: parts },
    { name: 'long fields', body: longFields },
    {
      name: '20,000 learners as a form',
      type: form,
      body: new URLSearchParams({ name: 'x', learners: JSON.stringify(learners) }).toString(),
    },
    { name: '20,000 learners as JSON', type: json, body: JSON.stringify({ name: 'x', learners }) },
    { name: 'Accept header', accept: 'a/b,'.repeat(60_000) },
    { name: 'query names', query: names(35_000).join('&') },
    { name: 'one query value', query: `learners=${'%e2%82%ac'.repeat(25_000)}` },
    { name: 'fields', type: form, body: `name=x&fields=${fill('a,')}` },
  ];
}
