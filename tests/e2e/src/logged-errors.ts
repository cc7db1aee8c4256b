import { expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { ApiClient } from './client.ts';

/** Checks the log of failed authentication, which the conformance suite cannot see (contract/access#cause-of-401). */
export function describeLoggedErrors(running: () => RunningSystem): void {
  const api = () => new ApiClient(running());

  it('logs the cause of 401 without the secret or key', async () => {
    const { realm_guid } = api().realm;
    const wrong = { realm_guid: realm_guid ?? '', realm_secret_key: 'wrong-secret-of-a-client' };
    await api().get('/course.json', wrong);
    const { sc_app_id } = api().application;
    const wrongPair = { sc_app_id: sc_app_id ?? '', sc_secret_key: 'another-wrong-secret' };
    await api().get('/course.json', wrongPair);
    const wrongKey = { api_key: 'rgk_wrong-key-of-a-client' };
    await api().get('/course.json', wrongKey);
    await api().get('/course.json', {});
    const log = await running().log();
    expect(log).toMatch(/"reason":"[^"]*secret/);
    expect(log).not.toMatch(/wrong-secret-of-a-client|another-wrong-secret|wrong-key-of-a-client/);
    expect(log).not.toContain(running().quickstart.realm_secret_key);
    expect(log).not.toContain(running().quickstart.sc_secret_key);
  });
}
