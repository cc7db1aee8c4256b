import { expect, it } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { type Answer, ApiClient } from './client.ts';

/** Every wrong request gets its status and an empty body, and its reason stands in the log only. */
export function describeStatuses(running: () => RunningSystem): void {
  const api = () => new ApiClient(running());
  const empty = (answer: Answer) => ({ status: answer.status, text: answer.text });

  it('answers 401 to a wrong secret, and logs why without the secret', async () => {
    const { realm_guid } = api().realm;
    const wrong = { realm_guid: realm_guid ?? '', realm_secret_key: 'wrong-secret-of-a-client' };
    expect(empty(await api().get('/course.json', wrong))).toEqual({ status: 401, text: '' });
    const { sc_app_id } = api().application;
    const wrongPair = { sc_app_id: sc_app_id ?? '', sc_secret_key: 'another-wrong-secret' };
    expect(empty(await api().get('/course.json', wrongPair))).toEqual({ status: 401, text: '' });
    const wrongKey = { api_key: 'rgk_wrong-key-of-a-client' };
    expect(empty(await api().get('/course.json', wrongKey))).toEqual({ status: 401, text: '' });
    expect(empty(await api().get('/course.json', {}))).toEqual({ status: 401, text: '' });
    const log = await running().log();
    expect(log).toMatch(/"reason":"[^"]*secret/);
    expect(log).not.toMatch(/wrong-secret-of-a-client|another-wrong-secret|wrong-key-of-a-client/);
    expect(log).not.toContain(running().quickstart.realm_secret_key);
    expect(log).not.toContain(running().quickstart.sc_secret_key);
  });

  it('answers 501 to two access modes at once', async () => {
    const both = { ...api().realm, ...api().application };
    expect(empty(await api().get('/course.json', both))).toEqual({ status: 501, text: '' });
  });

  it('answers 406 to an unknown suffix, before anything else', async () => {
    expect(empty(await api().get('/course.pdf', {}))).toEqual({ status: 406, text: '' });
  });

  it('answers 500 to an unknown parameter', async () => {
    const unknown = { ...api().realm, colour: 'blue' };
    expect(empty(await api().get('/course.json', unknown))).toEqual({ status: 500, text: '' });
  });

  it('answers 500 to a broken package, and keeps nothing of it', async () => {
    const all = { ...api().realm, fields: 'course_guid' };
    const before = await api().get('/course.json', all);
    const broken = new TextEncoder().encode('this is no zip file');
    const answer = await api().upload('/course.json', api().realm, broken);
    expect(empty(answer)).toEqual({ status: 500, text: '' });
    expect((await api().get('/course.json', all)).text).toBe(before.text);
  });

  it('answers 404 to a registration in an unknown course', async () => {
    const unknown = { ...api().realm, course_guid: 'no-such-course', learner_id: 'a@example.com' };
    expect(empty(await api().post('/registration.json', unknown))).toEqual({
      status: 404,
      text: '',
    });
  });
}
