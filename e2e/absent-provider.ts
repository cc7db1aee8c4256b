import { expect, it } from '@jest/globals';
import { createProviderApplication } from '#libs/contracts';
import { freePort, type RunningSystem } from '#libs/testing';
import { ApiClient } from './client.ts';
import { asOperator } from './operator.ts';

/** A course provider that is not there is said to be away, and harms no other. */
export function describeAbsentProvider(running: () => RunningSystem): void {
  it('answers 503 with Retry-After while the course provider is absent', async () => {
    const pair = { sc_app_id: 'absent', sc_secret_key: 'secret-of-the-absent' };
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    await asOperator(running(), (bus) =>
      bus.request(createProviderApplication, {
        realmGuid: running().quickstart.realm_guid,
        name: 'Absent',
        baseUrl,
        appId: pair.sc_app_id,
        secretKey: pair.sc_secret_key,
      }),
    );
    const api = new ApiClient(running());
    const absent = await api.post('/course.json', { ...pair, course_guid: 'somewhere' });
    expect({ status: absent.status, text: absent.text }).toEqual({ status: 503, text: '' });
    expect(Number(absent.headers.get('retry-after'))).toBeGreaterThan(0);

    const well = await api.get('/course.json', api.application);
    expect(well.status).toBe(200);
    const log = await running().log();
    expect(log).not.toContain(pair.sc_secret_key);
  });
}
