import { expect, it } from 'vitest';
import { fetchLaunch } from '@registrar/conformance';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartedSystem } from '@registrar/standalone/testing';
import type { TraceCollector } from '@registrar/testing';
import { ApiClient } from './client.ts';

/** Checks that logs and traces contain no secrets and no personal data. */
export function describeSecretRedaction(
  running: () => StartedSystem,
  collector: () => TraceCollector,
): void {
  it('logs and traces contain no secret, e-mail address or name', async () => {
    const system = running();
    const api = new ApiClient(system);
    const learner = 'ada.of-the-secrets@example.com';
    const { course_guid } = system.quickstart;
    const made = await api.post('/api_key.json', { ...api.realm, user_email: learner });
    const { access_token: key } = JSON.parse(made.text) as { access_token: string };
    const named = { course_guid, learner_id: learner, fname: 'Ada-of-the-secrets' };
    const created = await api.post('/registration.json', { ...api.realm, ...named });
    const { registration_guid } = JSON.parse(created.text) as { registration_guid: string };
    const path = `/registration/${registration_guid}/launch_url.json`;
    const launched = await api.get(path, { api_key: key });
    expect(launched.status).toBe(200);
    const shown = await api.get('/registration.json', {}, { authorization: `Bearer ${key}` });
    expect(shown.status).toBe(200);
    const { launch_url } = JSON.parse(launched.text) as { launch_url: string };
    const opened = await fetchLaunch(launch_url, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    const window = new URL(opened.headers.get('location') ?? '', launch_url).href;
    expect((await fetchLaunch(window)).status).toBe(200);
    const wrong = ['a-wrong-secret-of-a-client', 'a-wrong-key-of-a-client'];
    const [wrongSecret = '', wrongKey = ''] = wrong;
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const headers = [`Bearer ${wrongKey}`, basic(`${api.realm['realm_guid']}:${wrongSecret}`)];
    const errors = [
      await api.get('/course.json', { ...api.realm, realm_secret_key: wrongSecret }),
      await api.get('/course.json', { ...api.application, sc_secret_key: wrongSecret }),
      await api.get('/course.json', { api_key: wrongKey }),
      await api.get(`/registration/${wrongKey}/launch_url.json`, { api_key: wrongKey }),
      await api.get(`/nothing/${wrongSecret}`, {}),
      await api.post('/course.json', { wrongSecret }, { 'content-type': 'application/json' }),
      await api.get('/course.json', {}, { authorization: headers[0]! }),
      await api.get('/course.json', {}, { authorization: headers[1]! }),
      await api.get('/nothing', {}, { authorization: headers[1]! }),
    ];
    expect(errors.map(({ status }) => status)).toEqual([
      401, 401, 401, 401, 404, 500, 401, 401, 404,
    ]);

    expect(await system.interrupt()).toBe(0);
    const { realm_secret_key, sc_secret_key } = system.quickstart;
    const masterKey = (await readFile(join(system.dataDirectory, 'master.key'), 'utf8')).trim();
    const tokens = [launch_url, window].flatMap((url) => new URL(url).pathname.split('/'));
    const secrets = [
      ...wrong,
      ...headers.map((header) => header.split(' ')[1]!),
      ...[realm_secret_key, sc_secret_key, masterKey, key],
      ...tokens.filter((part) => part.length > 30),
    ];
    expect(secrets.length).toBeGreaterThanOrEqual(7);
    const outputs = { log: await system.log(), traces: collector().bodies.join('\n') };
    expect(collector().spans.filter(({ name }) => /launch_url/.test(name))).not.toHaveLength(0);
    const lines = outputs.log.split('\n').filter(Boolean);
    const answered = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const { status, headers } of errors) {
      const line = answered.find((each) => each['request_id'] === headers.get('x-request-id'));
      expect(line).toMatchObject({ status, reason: expect.stringMatching(/\w+ \w+/) });
    }
    // Log fields are declared: a redacted value would be a field without a declaration.
    expect(outputs.log).not.toContain('"[redacted]"');
    for (const text of Object.values(outputs)) {
      expect([...secrets, learner, named.fname].filter((each) => text.includes(each))).toEqual([]);
    }
  });
}
