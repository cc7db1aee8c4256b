import type { StartedSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import { expect, it } from 'vitest';

const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };

/** The console of a running system, with the link that the start has printed. */
export function describeConsoleCalls(running: () => StartedSystem): void {
  it('the console signs in by the printed link, and every app reports its status to it', async () => {
    const system = running();
    const [token] = /(?<=\/sign-in#)[\w-]+/.exec(system.printed()) ?? [];
    const post = (path: string, body: object, cookie = '') =>
      fetch(system.consoleUrl + path, {
        method: 'POST',
        headers: { ...headers, cookie },
        body: JSON.stringify(body),
      });
    const signedIn = await post('/api/sign-in/link', { token });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0];
    const session = await post('/api/calls/session.show', {}, cookie);
    expect(await session.json()).toMatchObject({ name: 'operator', realms: [{ name: 'Demo' }] });
    const silent = async () => {
      const response = await post('/api/calls/overview.apps', {}, cookie);
      const { apps } = (await response.json()) as { apps: { app: string; replicas: unknown[] }[] };
      return apps.filter(({ replicas }) => replicas.length === 0).map(({ app }) => app);
    };
    await eventually('every app has reported', async () => (await silent()).length === 0, {
      timeoutMs: 150_000,
    });
  });
}
