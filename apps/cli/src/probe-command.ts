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
type ProbeSettings = z.output<typeof probeSettings>;

/** The longest time that a step may take: milliseconds. */
const stepTimeoutMs = 15_000;

/** A step that failed, with the reason. */
class StepFailed extends Error {}

/** `registrar probe`. */
export function addProbeCommand(program: OperatorCommand): void {
  addCommand(program, 'probe', {
    description: 'create an API key, list registrations and get a launch link, as a client does',
    examples: ['probe', 'probe --json'],
  }).handle(async ({ terminal, output, json }) => {
    const settings = readSettings(probeSettings, terminal.environment);
    const report = async (step: string, seconds: number, fault: string | null) => {
      if (json) return output.record({ step, seconds, fault });
      const state = fault === null ? 'ok  ' : 'fail';
      await output.text(`${state}  ${step}: ${fault ?? `${seconds.toFixed(3)} s`}\n`);
    };
    await probe(settings, async (step, work) => {
      const startedAt = clock.monotonic();
      const seconds = () => (clock.monotonic() - startedAt) / 1_000;
      try {
        const result = await work();
        await report(step, seconds(), null);
        return result;
      } catch (error) {
        if (!(error instanceof StepFailed)) throw error;
        await report(step, seconds(), error.message);
        throw new Error(`${step} failed`, { cause: error });
      }
    });
  });
}

/** Reports a step when it has ended. */
type RunStep = <Result>(step: string, work: () => Promise<Result>) => Promise<Result>;

async function probe(settings: ProbeSettings, run: RunStep): Promise<void> {
  const root = `${settings.PUBLIC_URL}${settings.API_ROOT}`;
  const registration = encodeURIComponent(settings.PROBE_REGISTRATION_GUID);
  // The pair is in the body, because proxies may log addresses. The key is deleted at the end.
  const key = await run('create API key', () =>
    request(`${root}/api_key.json`, z.object({ access_token: z.string() }), {
      method: 'POST',
      body: new URLSearchParams({
        realm_guid: settings.PROBE_REALM_GUID,
        realm_secret_key: settings.PROBE_REALM_SECRET_KEY,
        permissions: 'read,launch',
        lifetime_hours: '1',
      }),
    }),
  );
  const access = `api_key=${encodeURIComponent(key.access_token)}`;
  try {
    await run('list registrations', () =>
      request(
        `${root}/registration.json?registration_guid=${registration}&${access}`,
        z.array(z.looseObject({})).length(1),
      ),
    );
    await run('get launch link', () =>
      request(
        `${root}/registration/${registration}/launch_url.json?${access}` +
          `&redirect_url=${encodeURIComponent(settings.PUBLIC_URL)}`,
        z.object({ launch_url: z.url() }),
      ),
    );
  } finally {
    await run('delete API key', () =>
      request(`${root}/api_key.json?${access}`, z.looseObject({}), { method: 'DELETE' }),
    );
  }
}

/** @throws {StepFailed} without the address, which has an API key in it */
async function request<Body>(
  url: string,
  expected: z.ZodType<Body>,
  init: RequestInit = {},
): Promise<Body> {
  const signal = AbortSignal.timeout(stepTimeoutMs);
  const response = await fetch(url, { ...init, signal, redirect: 'manual' }).catch(
    (error: Error & { cause?: { code?: string } }) => {
      const isLate = error.name === 'TimeoutError';
      throw new StepFailed(isLate ? `no response in ${stepTimeoutMs / 1_000} s` : reasonOf(error));
    },
  );
  const body: unknown = await response.json().catch(() => null);
  const requestId = response.headers.get('x-request-id');
  const origin = `status ${response.status}${requestId ? `, request ${requestId}` : ''}`;
  if (!response.ok) throw new StepFailed(origin);
  const parsed = expected.safeParse(body);
  if (!parsed.success) throw new StepFailed(`${origin}: another response than expected`);
  return parsed.data;
}

const reasonOf = (error: Error & { cause?: { code?: string } }): string =>
  `no connection (${error.cause?.code ?? error.message})`;
