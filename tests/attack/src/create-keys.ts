import { form, HttpClient } from './http-client.ts';
import type { Target } from './target.ts';
import type { Tenant } from './tenant.ts';

/** Creates API keys as a client does, and returns them as access parameters. */
export async function createKeys(
  target: Target,
  { pair }: Tenant,
  count: number,
  bound: Readonly<Record<string, string>> = {},
): Promise<{ readonly api_key: string }[]> {
  const client = new HttpClient(target, '127.0.1.1');
  const keys = [];
  for (let created = 0; created < count; created += 1) {
    const { status, text } = await client.call('/api_key.json', {
      body: form({ ...pair, ...bound }),
    });
    if (status !== 201) throw new Error(`the creation of an API key returned ${status}`);
    const { access_token } = JSON.parse(text) as { access_token: string };
    target.secrets.add(access_token);
    keys.push({ api_key: access_token });
  }
  client.close();
  return keys;
}
