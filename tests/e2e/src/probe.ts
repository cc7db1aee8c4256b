import { beforeAll, describe, expect, it } from 'vitest';
import { freePort, programEnvironment } from '@registrar/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ApiClient } from './client.ts';
import type { DedicatedInstallation } from './dedicated-installation.ts';

const program = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

/** Checks what `registrar probe` reports of an installation that serves, and of one that does not. */
export function describeProbe(installation: () => DedicatedInstallation): void {
  describe('registrar probe', () => {
    let settings: Record<string, string>;
    beforeAll(async () => {
      const { system } = installation();
      const api = new ApiClient(system);
      const course = { course_guid: 'first-aid-basics', learner_id: 'probe@example.com' };
      const created = await api.post('/registration.json', { ...api.realm, ...course });
      const { registration_guid } = JSON.parse(created.text) as { registration_guid: string };
      const { origin, pathname } = new URL(system.quickstart.base_url);
      settings = {
        PUBLIC_URL: origin,
        API_ROOT: pathname,
        PROBE_REALM_GUID: system.quickstart.realm_guid,
        PROBE_REALM_SECRET_KEY: system.quickstart.realm_secret_key,
        PROBE_REGISTRATION_GUID: registration_guid,
      };
    });

    /** Runs the probe; its output without times and request ids. */
    const probe = async (changed: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [program, 'probe'], {
        env: { ...programEnvironment(), ...settings, ...changed },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
      const shown = stdout
        .replaceAll(/\d+\.\d{3} s/g, '… s')
        .replaceAll(/request [\w-]{36}/g, 'request …');
      return { code: child.exitCode, lines: shown.trimEnd().split('\n') };
    };
    const keys = async () => (await installation().sql('SELECT FROM identity.api_keys')).rowCount;

    it('succeeds, and leaves no API key behind', async () => {
      const before = await keys();
      expect(await probe()).toEqual({
        code: 0,
        lines: [
          'ok    create API key: … s',
          'ok    list registrations: … s',
          'ok    get launch link: … s',
          'ok    delete API key: … s',
        ],
      });
      expect(await keys()).toBe(before);
    });

    it('names the step that fails, and leaves no API key behind', async () => {
      const before = await keys();
      expect(await probe({ PROBE_REGISTRATION_GUID: 'none' })).toEqual({
        code: 1,
        lines: [
          'ok    create API key: … s',
          'fail  list registrations: status 200, request …: another response than expected',
          'ok    delete API key: … s',
        ],
      });
      expect(await keys()).toBe(before);
      expect(await probe({ PROBE_REALM_SECRET_KEY: 'wrong' })).toEqual({
        code: 1,
        lines: ['fail  create API key: status 401, request …'],
      });
      expect(await probe({ PUBLIC_URL: `http://localhost:${await freePort()}` })).toEqual({
        code: 1,
        lines: ['fail  create API key: no connection (ECONNREFUSED)'],
      });
    });
  });
}
