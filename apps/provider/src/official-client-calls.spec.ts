import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { unknownPathMessage } from './http/api-exception-filter.ts';
import { type Client, type ProviderFixture, startProviderFixture } from './provider.fixture.ts';
import { smallestPackage } from './testing/make-package.ts';

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

/** The options of a request, with a value for each of them. */
interface Options {
  /** Its record in the client. */
  readonly schema: string;
  readonly path: string;
  /** The fields that the options are in. */
  readonly prefix: readonly string[];
  /** Makes what the request needs beside the option. */
  readonly base: () => object;
  readonly values: Readonly<Record<string, unknown>>;
}

const nested = ([name = '', ...rest]: readonly string[], value: unknown): object => ({
  [name]: rest.length > 0 ? nested(rest, value) : value,
});

const optionsIntro = `
## Options of calls

What becomes of each option when a registration is created and when a launch link is built: it works, or is refused with
status 400 and the message in the table. [The README](../apps/provider/README.md#launch-options) says what those
that work mean. Previews of courses take the options of launch links.
`;

const ofLaunch = (registrationId: string) => ({
  path: `registrations/${registrationId}/launchLink`,
  base: () => ({ redirectOnExitUrl: 'message' }),
});
const optionTables = (
  registrationId: string,
): readonly { readonly title: string; readonly parts: readonly Options[] }[] => [
  {
    title: '`createRegistration`',
    parts: [
      {
        schema: 'CreateRegistrationSchema',
        path: 'registrations',
        prefix: [],
        base: () => ({
          courseId: 'optional',
          registrationId: randomUUID(),
          learner: { id: 'ada' },
        }),
        values: {
          courseId: 'optional',
          learner: { id: 'ada', email: 'ada@example.com', firstName: 'Ada', lastName: 'Able' },
          registrationId: randomUUID(),
          xapiRegistrationId: randomUUID(),
          learnerTags: ['tag'],
          courseTags: ['tag'],
          registrationTags: ['tag'],
          postBack: { url: 'http://127.0.0.1:1/' },
          initialRegistrationState: { registrationCompletion: 'COMPLETED' },
          initialSettings: { settings: [{ settingId: 'PlayerLaunchType', value: 'FRAMESET' }] },
        },
      },
    ],
  },
  {
    title: '`buildRegistrationLaunchLink`',
    parts: [
      {
        ...ofLaunch(registrationId),
        schema: 'LaunchLinkRequestSchema',
        prefix: [],
        values: {
          expiry: 60,
          redirectOnExitUrl: 'https://example.com/',
          tracking: false,
          startSco: 'item',
          culture: 'de',
          cssUrl: 'https://example.com/player.css',
          learnerTags: ['tag'],
          courseTags: ['tag'],
          registrationTags: ['tag'],
          additionalvalues: [{ item: 'a', value: 'b' }],
          launchAuth: {},
        },
      },
      {
        ...ofLaunch(registrationId),
        schema: 'LaunchAuthSchema',
        prefix: ['launchAuth'],
        values: { type: 'cookies', options: {} },
      },
      {
        ...ofLaunch(registrationId),
        schema: 'LaunchAuthOptionsSchema',
        prefix: ['launchAuth', 'options'],
        values: { ipAddress: true, fingerprint: true, expiry: 600, slidingExpiry: 60 },
      },
    ],
  },
];

describe("the methods of SCORM Cloud's JavaScript client", () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture({ postbackOrigins: 'http://127.0.0.1:1' });
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  /** Sends the options of a call one by one. Returns a row of each with its outcome. */
  const optionRows = async ({ schema, path, prefix, base, values }: Options): Promise<string[]> => {
    const fields = Object.keys(rustici[schema]?.prototype as object);
    expect([schema, Object.keys(values)]).toEqual([schema, fields]);
    const rows: string[] = [];
    for (const [name, value] of Object.entries(values)) {
      const body = { ...base(), ...nested([...prefix, name], value) };
      const answer = await client.sendJson<{ message?: string }>('POST', path, body);
      expect([name, answer.status]).toEqual([name, answer.status < 300 ? answer.status : 400]);
      const outcome = answer.status < 300 ? 'works' : answer.body.message;
      rows.push(`| \`${[...prefix, name].join('.')}\` | ${outcome} |`);
    }
    return rows;
  };

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
    await client.import('optional', await smallestPackage());
    const registrationId = await client.register('optional');
    rows.push(optionsIntro);
    for (const { title, parts } of optionTables(registrationId)) {
      rows.push(`### ${title}`, '', '| option | |', '|---|---|');
      for (const options of parts) rows.push(...(await optionRows(options)));
      rows.push('');
    }
    rows.pop();
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
