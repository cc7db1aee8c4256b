import { expect, it } from 'vitest';
import { createProviderApplication } from '@registrar/contracts';
import { type RunningSystem } from '@registrar/standalone/testing';
import { freePort } from '@registrar/testing';
import { ApiClient } from './client.ts';
import { asOperator } from './operator.ts';

/** Checks that an unavailable course provider causes 503 for its own requests and affects no other application. */
export function describeUnavailableProvider(running: () => RunningSystem): void {
  it('returns 503 with Retry-After while the course provider is unavailable', async () => {
    const pair = { sc_app_id: 'unavailable', sc_secret_key: 'secret-of-the-unavailable' };
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    await asOperator(running(), (bus) =>
      bus.request(createProviderApplication, {
        realmGuid: running().quickstart.realm_guid,
        name: 'Unavailable',
        baseUrl,
        appId: pair.sc_app_id,
        secretKey: pair.sc_secret_key,
      }),
    );
    const api = new ApiClient(running());
    const unavailable = await api.post('/course.json', { ...pair, course_guid: 'somewhere' });
    expect({ status: unavailable.status, text: unavailable.text }).toEqual({
      status: 503,
      text: '',
    });
    expect(Number(unavailable.headers.get('retry-after'))).toBeGreaterThan(0);

    const other = await api.get('/course.json', api.application);
    expect(other.status).toBe(200);
    const log = await running().log();
    expect(log).not.toContain(pair.sc_secret_key);
  });
}
