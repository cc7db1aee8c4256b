import { clock, readSettings } from '@registrar/platform';
import * as z from 'zod';
import { addCommand, type OperatorCommand } from './command.ts';
import { operatorSettings } from './settings.ts';

const probeSettings = operatorSettings.pick({ PUBLIC_URL: true, API_ROOT: true }).extend({
  PROBE_REALM_GUID: z.string().min(1),
  PROBE_REALM_SECRET_KEY: z.string().min(1),
  /** The registration whose launch link is requested. */
  PROBE_REGISTRATION_GUID: z.string().min(1),
});

/** The longest time that a step may take: milliseconds. */
const stepTimeoutMs = 15_000;

/** `registrar probe`. */
export function addProbeCommand(program: OperatorCommand): void {
  addCommand(program, 'probe', {
    description: 'create an API key, list registrations and get a launch link, as a client does',
    examples: ['probe', 'probe --json'],
  }).handle(async ({ terminal, output, json }) => {
    const settings = readSettings(probeSettings, terminal.environment);
    const root = `${settings.PUBLIC_URL}${settings.API_ROOT}`;
    /** Sends the request of a step, and reports the step when it has ended. */
    const run = async <Body>(
      step: string,
      path: string,
      expected: z.ZodType<Body>,
      init?: RequestInit,
    ): Promise<Body> => {
      const startedAt = clock.monotonic();
      const { body, fault } = await request(`${root}/${path}`, expected, init);
      const seconds = (clock.monotonic() - startedAt) / 1_000;
      if (json) await output.record({ step, seconds, fault });
      else {
        const state = fault === null ? 'ok  ' : 'fail';
        await output.text(`${state}  ${step}: ${fault ?? `${seconds.toFixed(3)} s`}\n`);
      }
      if (fault !== null) throw new Error(`${step} failed`);
      return body;
    };

    const registration = encodeURIComponent(settings.PROBE_REGISTRATION_GUID);
    // The pair is in the body, because proxies may log addresses. The key is deleted at the end.
    const key = z.object({ access_token: z.string() });
    const { access_token: token } = await run('create API key', 'api_key.json', key, {
      method: 'POST',
      body: new URLSearchParams({
        realm_guid: settings.PROBE_REALM_GUID,
        realm_secret_key: settings.PROBE_REALM_SECRET_KEY,
        permissions: 'read,launch',
        lifetime_hours: '1',
      }),
    });
    const access = `api_key=${encodeURIComponent(token)}`;
    try {
      await run(
        'list registrations',
        `registration.json?registration_guid=${registration}&${access}`,
        z.array(z.looseObject({})).length(1),
      );
      await run(
        'get launch link',
        `registration/${registration}/launch_url.json?${access}` +
          `&redirect_url=${encodeURIComponent(settings.PUBLIC_URL)}`,
        z.object({ launch_url: z.url() }),
      );
    } finally {
      const deletion = { method: 'DELETE' };
      await run('delete API key', `api_key.json?${access}`, z.looseObject({}), deletion);
    }
  });
}

/** Returns the expected body of the response, or the fault, without the address, which has an API key in it. */
async function request<Body>(
  url: string,
  expected: z.ZodType<Body>,
  init: RequestInit = {},
): Promise<{ body: Body; fault: null } | { body?: never; fault: string }> {
  const signal = AbortSignal.timeout(stepTimeoutMs);
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal, redirect: 'manual' });
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    if (name === 'TimeoutError') return { fault: `no response in ${stepTimeoutMs / 1_000} s` };
    return { fault: `no connection (${cause?.code ?? message})` };
  }
  const body: unknown = await response.json().catch(() => null);
  const requestId = response.headers.get('x-request-id');
  const origin = `status ${response.status}${requestId ? `, request ${requestId}` : ''}`;
  if (!response.ok) return { fault: origin };
  const { success, data } = expected.safeParse(body);
  return success
    ? { body: data, fault: null }
    : { fault: `${origin}: another response than expected` };
}
