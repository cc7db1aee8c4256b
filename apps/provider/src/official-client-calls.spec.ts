import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRequire } from 'node:module';
import { unknownPathMessage } from './http/api-exception-filter.ts';
import { type Client, type ProviderFixture, startProviderFixture } from './provider.fixture.ts';

/** How SCORM Cloud's JavaScript client sends a request: the parts of it that are used here. */
type CallApi = (path: string, method: string) => void;
type Api = new (client: { callApi: CallApi }) => Record<string, (...given: unknown[]) => void>;

const rustici = createRequire(import.meta.url)(
  '@rusticisoftware/scormcloud-api-v2-client-javascript',
) as Record<string, Api>;

interface ClientMethod {
  readonly api: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** All methods of the client, with the requests that they send. */
function clientMethods(): ClientMethod[] {
  const methods: ClientMethod[] = [];
  for (const [api, Constructor] of Object.entries(rustici)) {
    if (!api.endsWith('Api')) continue;
    let sent: Pick<ClientMethod, 'method' | 'path'> | null = null;
    const callApi: CallApi = (path, method) => (sent = { path, method });
    for (const [name, call] of Object.entries(new Constructor({ callApi }))) {
      if (typeof call !== 'function') continue;
      call.call({ apiClient: { callApi } }, ...Array.from({ length: 8 }, () => ({})));
      if (sent) methods.push({ api, name, ...(sent as Pick<ClientMethod, 'method' | 'path'>) });
    }
  }
  return methods;
}

const intro = `# Calls of the course provider's API

What Registrar's own course provider does with each method of SCORM Cloud's official JavaScript client, version 3.0.0. The
parameters and fields of those that work are in [its README](../apps/provider/README.md#what-the-api-supports). The others
are refused with status 501 and the message in the table: none is ignored.
\`apps/provider/src/official-client-calls.spec.ts\` sends each request and compares the outcome with this page;
\`official-client.spec.ts\` and \`official-client-methods.spec.ts\` beside it use the methods that work, and
\`scormcloud-client.spec.ts\` sends the requests of a client in TypeScript that is not SCORM Cloud's own.
`;

describe("the methods of SCORM Cloud's JavaScript client", () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  /** Returns why a call is refused; null if the provider has it. */
  const refusalOf = async ({ method, path }: ClientMethod): Promise<string | null> => {
    const filled = path
      .slice(1)
      .replace(/\{(version|instance)Id\}/g, '0')
      .replace(/\{\w+\}/g, 'x');
    const hasBody = method === 'POST' || method === 'PUT';
    const { status, body } = await client.send<{ message?: string }>(filled, {
      method,
      ...(hasBody && { headers: { 'content-type': 'application/json' }, body: '{}' }),
    });
    expect([path, body.message]).not.toEqual([path, unknownPathMessage]);
    expect(status === 501 || status < 500).toBe(true);
    return status === 501 ? (body.message ?? '') : null;
  };

  it("every method of SCORM Cloud's JavaScript client works, or is refused with the message in docs/provider-calls.md", async () => {
    const methods = clientMethods();
    expect(methods).toHaveLength(170);
    const rows: string[] = [];
    let working = 0;
    let api = '';
    for (const call of methods) {
      if (call.api !== api) {
        api = call.api;
        rows.push('', `## ${api}`, '', '| method | request | |', '|---|---|---|');
      }
      const refusal = await refusalOf(call);
      if (refusal === null) working += 1;
      rows.push(`| \`${call.name}\` | \`${call.method} ${call.path}\` | ${refusal ?? 'works'} |`);
    }
    const summary = `\nOf ${methods.length} methods, ${working} work and ${methods.length - working} are refused.\n`;
    await expect(`${intro}${summary}${rows.join('\n')}\n`).toMatchFileSnapshot(
      '../../../docs/provider-calls.md',
    );
  });

  it('refused calls need credentials, and are refused for every access token too', async () => {
    expect((await fetch(`${fixture.url}/api/v2/dispatch/dispatches`)).status).toBe(401);
    const { body } = await client.send<{ access_token: string }>(
      'oauth/authenticate/application/token',
      { method: 'POST', body: new URLSearchParams({ scope: 'read:ping' }) },
    );
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await client.send('dispatch/dispatches', { headers })).status).toBe(501);
  });
});
