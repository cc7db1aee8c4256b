import { expect, it } from '@jest/globals';
import { BusClient, rabbitMqTransport, startApp } from '#libs/bus';
import { createProviderApplication } from '#libs/contracts';
import { freePort, type RunningSystem, testBrokerUrl, testLogger } from '#libs/testing';
import { ApiClient } from './client.ts';

/** A course provider that is not there is said to be away, and harms no other. */
export function describeAbsentProvider(running: () => RunningSystem): void {
  it('answers 503 with Retry-After while the course provider is absent', async () => {
    const { logger } = testLogger();
    const { namespace } = running();
    if (!namespace) throw new Error('this system has no bus to reach');
    const transport = rabbitMqTransport({ url: testBrokerUrl, namespace, logger });
    const operator = await startApp({ name: 'operator', module: class {}, transport, logger });
    const pair = { sc_app_id: 'absent', sc_secret_key: 'secret-of-the-absent' };
    try {
      await operator.get(BusClient).request(createProviderApplication, {
        realmGuid: running().quickstart.realm_guid,
        name: 'Absent',
        baseUrl: `http://127.0.0.1:${await freePort()}`,
        appId: pair.sc_app_id,
        secretKey: pair.sc_secret_key,
      });
    } finally {
      await operator.stop();
    }
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
