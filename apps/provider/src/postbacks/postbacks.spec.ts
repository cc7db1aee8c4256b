import { sql } from '@registrar/persistence';
import { clock, generateMasterKey } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { smallestPackage } from '../testing/make-package.ts';
import { PostbackRows } from './postback-rows.ts';
import { type PostbacksFixture, responseMs, startPostbacksFixture } from './postbacks.fixture.ts';

const valueRow = z.object({ value: z.string() });

interface Result {
  readonly id: string;
}

describe('postbacks', () => {
  let fixture: PostbacksFixture;
  beforeAll(async () => {
    fixture = await startPostbacksFixture();
  });
  afterEach(() => fixture.clear());
  afterAll(() => fixture?.stop());

  const register = (more: object = {}) => fixture.registerWithPostBack(more);
  const refused = async (postBack: object): Promise<string> => {
    const registration = { courseId: 'two-parts', registrationId: randomUUID(), postBack };
    const { status, body } = await fixture.client.sendJson<{ message: string }>(
      ...(['POST', 'registrations', { ...registration, learner: { id: 'ada' } }] as const),
    );
    expect(status).toBe(400);
    return body.message;
  };

  it('postbacks post the record as JSON with Basic authentication after the exit of the course', async () => {
    const id = await register({ authType: 'httpBasic', resultsFormat: 'UNDEFINED' });
    await fixture.complete(id);
    const [postback] = await fixture.receiver.arrived(1);
    const credentials = Buffer.from('postback:pass:wörd').toString('base64');
    expect(postback).toMatchObject({
      path: '/results?of=suite',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    });
    const posted: unknown = JSON.parse(postback?.body ?? '');
    expect(posted).toEqual(await fixture.record(id));
    expect(posted).toMatchObject({ id, registrationSuccess: 'UNKNOWN', hasOpenLaunch: false });
    await fixture.delivered();
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it('postbacks post the result at once when the learner closes the window of the course', async () => {
    const id = await register({ authType: 'httpBasic' });
    await fixture.closeWindow(id);
    const [postback] = await fixture.receiver.arrived(1);
    expect(JSON.parse(postback?.body ?? '')).toMatchObject({ id, registrationSuccess: 'UNKNOWN' });
  });

  it('postbacks post the record in a form with the credentials by default', async () => {
    const id = await register({ authType: undefined });
    await fixture.complete(id);
    const [postback] = await fixture.receiver.arrived(1);
    expect(postback?.headers).not.toHaveProperty('authorization');
    expect(postback?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const form = new URLSearchParams(postback?.body);
    expect([...form.keys()]).toEqual(['data', 'username', 'password']);
    expect([form.get('username'), form.get('password')]).toEqual(['postback', 'pass:wörd']);
    expect(JSON.parse(form.get('data') ?? '')).toEqual(await fixture.record(id));
  });

  it('postbacks contain activities or run-time data as resultsFormat says', async () => {
    const formats = {
      course: {},
      Activity: { includeChildResults: 'true' },
      FULL: {
        includeChildResults: 'true',
        includeRuntime: 'true',
        includeInteractionsAndObjectives: 'true',
      },
    };
    for (const [index, [resultsFormat, query]] of Object.entries(formats).entries()) {
      const id = await register({ resultsFormat });
      await fixture.complete(id);
      const postback = (await fixture.receiver.arrived(index + 1))[index];
      expect(JSON.parse(postback?.body ?? '')).toEqual(await fixture.record(id, query));
    }
  });

  it('postbacks are repeated after an error status and a refused connection', async () => {
    const { receiver } = fixture;
    receiver.answer({ status: 500 }, { status: 404 });
    await fixture.complete(await register());
    for (const failures of [1, 2]) await fixture.repeatAfter(failures);
    await receiver.arrived(3);
    await fixture.delivered();
    await receiver.stop();
    await fixture.complete(await register());
    await fixture.repeatAfter(1);
    await eventually('the connection was refused twice', async () => {
      const [pending] = await fixture.pending();
      return pending?.failures === 2;
    });
    await receiver.start();
    await fixture.repeatAfter(2);
    await receiver.arrived(4);
    await fixture.delivered();
  });

  it('postbacks count a redirect as delivered, and do not follow it', async () => {
    fixture.receiver.answer({ status: 307, headers: { location: '/elsewhere' } });
    await fixture.complete(await register());
    await fixture.delivered();
    expect(fixture.receiver.received.map(({ path }) => path)).toEqual(['/results?of=suite']);
  });

  it('postbacks post the newest result when it changes during a delivery', async () => {
    const { receiver, client } = fixture;
    const id = await register();
    receiver.hold();
    receiver.answer({ status: 500 });
    await fixture.complete(id);
    await receiver.arrived(1);
    await client.delete(`registrations/${id}/progress`);
    expect(await fixture.pending()).toMatchObject([{ failures: 0 }]);
    receiver.release();
    const [older, newer] = await receiver.arrived(2);
    expect(JSON.parse(older?.body ?? '')).toMatchObject({ registrationCompletion: 'INCOMPLETE' });
    expect(JSON.parse(newer?.body ?? '')).toMatchObject({ registrationCompletion: 'UNKNOWN' });
    await fixture.delivered();
    expect(receiver.received).toHaveLength(2);
  });

  it('postbacks wait for further reports during the course, and not after its exit', async () => {
    const id = await register();
    const window = await fixture.open(id);
    const sitting = await window.begin('first');
    const [opened] = await fixture.pending();
    expect(opened?.due_in).toBeGreaterThan(3_500);
    const report = { activityId: 'first', sitting, sequence: 1 };
    await window.report(report, { lesson_status: 'incomplete' });
    const [reported] = await fixture.pending();
    expect(reported?.due_in).toBeLessThan(opened?.due_in ?? 0);
    expect(fixture.receiver.received).toEqual([]);
    await window.post('exit', {});
    await fixture.receiver.arrived(1);
    await fixture.delivered();
  });

  it('postbacks are not sent for a review, nor for a registration without postBack', async () => {
    const window = await fixture.open(await register(), { tracking: false });
    await window.begin('first');
    await window.post('exit', {});
    await fixture.complete(await fixture.register());
    expect(await fixture.pending()).toEqual([]);
    expect(fixture.receiver.received).toEqual([]);
  });

  it('postbacks of an application with a slow receiver do not delay those of another', async () => {
    const { otherReceiver: slow } = fixture;
    const client = await fixture.provider.client();
    await client.import('course', await smallestPackage());
    slow.hold();
    const postBack = fixture.postBack({ url: slow.origin });
    const ids = await Promise.all(
      Array.from({ length: 40 }, () => client.register('course', undefined, { postBack })),
    );
    for (const id of ids) await client.delete(`registrations/${id}/progress`);
    await slow.arrived(4);
    await fixture.complete(await register());
    await fixture.receiver.arrived(1);
    expect(slow.received).toHaveLength(4);
    slow.release();
    await slow.arrived(40);
    await fixture.delivered();
  });

  it('postbacks are given up after 70 failures, with a warning that contains no secret', async () => {
    const { receiver, database, provider } = fixture;
    const id = await register();
    receiver.answer({ status: 500 }, { status: 403 });
    receiver.hold();
    await fixture.complete(id);
    await receiver.arrived(1);
    await database.execute(sql`UPDATE postbacks SET failures = 68`);
    receiver.release();
    await fixture.repeatAfter(69);
    await fixture.delivered();
    expect(provider.lines()).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        registration: id,
        origin: receiver.origin,
        status: 403,
        attempts: 70,
        msg: 'a postback was given up',
      }),
    );
    expect(JSON.stringify(provider.lines())).not.toMatch(/pass:w|of=suite/);
  });

  it('postbacks are given up when their origin is not allowed any more', async () => {
    const id = await register();
    await fixture.database.execute(
      sql`UPDATE registration_configurations SET configuration = configuration
            || '{"ApiRollupRegistrationPostBackUrl": "http://127.0.0.1:1/"}'`,
    );
    await fixture.complete(id);
    await fixture.delivered();
    expect(fixture.provider.lines()).toContainEqual(
      expect.objectContaining({
        registration: id,
        msg: 'a postback was given up',
        reason: 'PROVIDER_POSTBACK_ORIGINS does not allow its origin any more',
      }),
    );
  });

  it('postbacks of a paused application wait until it is active', async () => {
    const { client, provider, database } = fixture;
    await (await fixture.open(await register())).begin('first');
    const pause = (isPaused: boolean) =>
      database.execute(
        sql`UPDATE applications SET is_paused = ${isPaused} WHERE app_id = ${client.appId}`,
      );
    await pause(true);
    await database.execute(sql`UPDATE postbacks SET due_at = now()`);
    expect(await provider.app.get(PostbackRows).claim(1, [], [])).toEqual([]);
    await pause(false);
    await fixture.delivered();
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it('postbacks are repeated no sooner than Retry-After asks for, up to the longest delay', async () => {
    fixture.receiver.answer({ status: 429, headers: { 'retry-after': '300' } });
    await fixture.complete(await register());
    await eventually('the postback has failed', async () => {
      const [pending] = await fixture.pending();
      expect(pending?.failures).toBe(1);
      expect(pending?.due_in).toBeGreaterThan(200);
      return true;
    });
  });

  it('postbacks are repeated when the receiver does not respond in time', async () => {
    fixture.receiver.hold();
    await fixture.complete(await register());
    await fixture.receiver.arrived(1);
    clock.step(responseMs);
    await fixture.repeatAfter(1);
    await fixture.receiver.arrived(2);
    fixture.receiver.release();
    await fixture.delivered();
  });

  it('postbacks are removed with their registration', async () => {
    const id = await register();
    await (await fixture.open(id)).begin('first');
    expect(await fixture.pending()).toHaveLength(1);
    await fixture.client.delete(`registrations/${id}`);
    expect(await fixture.pending()).toEqual([]);
    const targets = sql`SELECT registration::text AS value FROM registration_configurations`;
    expect(await fixture.database.many(valueRow, targets)).toEqual([]);
  });

  it('postbacks are refused with 400 for an origin that the operator does not allow', async () => {
    const [host = '', port = ''] = fixture.receiver.origin.split(/:(?=\d+$)/);
    for (const origin of [
      'https://evil.example',
      `${host}:${Number(port) + 1}`,
      fixture.receiver.origin.replace('http:', 'https:'),
      fixture.receiver.origin.replace('127.0.0.1', 'localhost'),
    ]) {
      expect(await refused({ url: `${origin}/results` })).toBe(
        `postBack.url: this provider does not post results to ${origin}. ` +
          'Its operator lists the origins that it may post to in PROVIDER_POSTBACK_ORIGINS.',
      );
    }
    expect((await fixture.client.get('registrations')).body).toEqual({ registrations: [] });
  });

  it('postbacks are refused with 400 for a malformed postBack', async () => {
    const { url } = fixture.postBack();
    const message = (more: object) => refused({ url, ...more });
    expect(await refused({})).toBe('postBack.url: is missing');
    expect(await message({ url: 'nowhere' })).toBe('postBack.url: is not an HTTP URL');
    expect(await message({ url: 'file:///etc/passwd' })).toBe('postBack.url: is not an HTTP URL');
    expect(await message({ url: url.replace('//', '//ada:secret@') })).toBe(
      'postBack.url: contains credentials',
    );
    expect(await message({ url: `${url}${'x'.repeat(2_048)}` })).toContain('postBack.url: ');
    expect(await message({ authType: 'DIGEST' })).toBe(
      'postBack.authType: is not one of FORM, HTTPBASIC',
    );
    expect(await message({ resultsFormat: 'xml' })).toBe(
      'postBack.resultsFormat: is not one of COURSE, ACTIVITY, FULL',
    );
    expect(await message({ legacy: true })).toBe('postBack.legacy: XML is not supported');
    expect(await message({ password: 'a\nb' })).toBe(
      'postBack.password: contains control characters',
    );
    expect(await message({ authType: 'HTTPBASIC', userName: 'a:b' })).toBe(
      'postBack.userName: contains a colon, which Basic authentication does not allow',
    );
    expect(await message({ headers: {} })).toBe('postBack.headers: is not supported');
  });
});

describe('postbacks of a provider that is started for the test', () => {
  let fixture: PostbacksFixture;
  afterEach(() => fixture?.stop());

  it('pending postbacks are sent after a restart', async () => {
    fixture = await startPostbacksFixture();
    const { receiver, provider } = fixture;
    const id = await fixture.registerWithPostBack();
    receiver.hold();
    await fixture.complete(id);
    await receiver.arrived(1);
    await provider.restart();
    expect(await fixture.pending()).toMatchObject([{ registration_id: id, failures: 0 }]);
    receiver.release();
    await receiver.arrived(2);
    await fixture.delivered();
  });

  it('postbacks of a provider that is started for the test have passwords that are stored sealed, and outlive a change of the key', async () => {
    fixture = await startPostbacksFixture();
    const { provider, receiver } = fixture;
    const sealed = async () => {
      const query = sql`SELECT configuration ->> 'ApiRollupRegistrationAuthPassword' AS value
                        FROM registration_configurations`;
      return (await fixture.database.one(valueRow, query)).value;
    };
    const id = await fixture.registerWithPostBack();
    const first = await sealed();
    expect(first).not.toContain('wörd');
    const newKey = generateMasterKey();
    await writeFile(provider.keyFile, `${newKey}${await readFile(provider.keyFile, 'utf8')}`);
    await provider.restart();
    await eventually('the password is sealed under the new key', async () => {
      return (await sealed()).split('.')[1] !== first.split('.')[1];
    });
    await writeFile(provider.keyFile, newKey);
    await provider.restart();
    await fixture.database.execute(
      sql`INSERT INTO postbacks (registration, application_id, due_at)
          SELECT id, application_id, now() FROM registrations`,
    );
    const [postback] = await receiver.arrived(1);
    const credentials = Buffer.from('postback:pass:wörd').toString('base64');
    expect(postback?.headers.authorization).toBe(`Basic ${credentials}`);
    expect(JSON.parse(postback?.body ?? '')).toMatchObject({ id });
  });

  it('two replicas deliver each postback once', async () => {
    fixture = await startPostbacksFixture();
    await fixture.provider.replica();
    const ids = await Promise.all(Array.from({ length: 20 }, () => fixture.registerWithPostBack()));
    await Promise.all(ids.map((id) => fixture.client.delete(`registrations/${id}/progress`)));
    await fixture.delivered();
    const posted = fixture.receiver.received.map(({ body }) => (JSON.parse(body) as Result).id);
    expect(posted.toSorted()).toEqual(ids.toSorted());
  });
});
