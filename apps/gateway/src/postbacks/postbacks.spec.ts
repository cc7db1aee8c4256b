import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '@registrar/contracts';
import { scrapeMetrics } from '@registrar/testing';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const failedAccesses = {
  undelayedOfNetwork: 1_000,
  undelayedOfAccount: 4,
  firstDelayMs: 1,
  maxDelayMs: 1,
  trustsPeer: () => false,
};

describe('postbacks of course providers', () => {
  let gateway: GatewayFixture;
  /** Another one for each test, because the gateway caches applications. */
  let application = 0;
  const secret = 'secret-of-postbacks';

  beforeAll(async () => {
    gateway = await startGatewayFixture({ MANAGEMENT_PORT: '0' }, { failedAccesses });
  });
  beforeEach(() => {
    gateway.reset();
    application += 1;
    setSecret(secret);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => gateway.stop());

  const setSecret = (text: string) =>
    gateway.contexts.postbackHashes.set(
      application,
      createHash('sha256').update(text).digest('base64url'),
    );
  const post = (
    body: NonNullable<RequestInit['body']>,
    headers: Record<string, string> = {},
    id: number | string = application,
  ) =>
    fetch(new URL(`/postbacks/${id}`, gateway.base), {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    });
  const basic = (password = secret, userName = 'postback') => ({
    authorization: `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  });
  const record = (id: unknown) => JSON.stringify({ id, registrationCompletion: 'COMPLETED' });
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const broughtForward = () => gateway.received('crawler.bring-forward');
  const lookups = () => gateway.received('identity.find-postback-access').length;

  it('postbacks of course providers bring the crawl of the registration forward with Basic authentication', async () => {
    const response = await post(record('reg-1'), basic());
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    expect(broughtForward()).toEqual([{ applicationId: application, registrationGuid: 'reg-1' }]);
  });

  it.each(['username', 'userName'])(
    'postbacks of course providers bring the crawl forward as a form with the field %s',
    async (name) => {
      const fields = { data: record('reg 2&é'), [name]: 'postback', password: secret };
      expect((await post(form(fields))).status).toBe(204);
      expect(broughtForward()).toEqual([
        { applicationId: application, registrationGuid: 'reg 2&é' },
      ]);
    },
  );

  it('postbacks of course providers get 400 for NUL in the id of the registration', async () => {
    const fields = { data: record('a\0b'), username: 'postback', password: secret };
    expect((await post(record('a\0b'), basic())).status).toBe(400);
    expect((await post(form(fields))).status).toBe(400);
    expect(broughtForward()).toEqual([]);
  });

  it('postbacks of course providers are not permitted to pages of any origin', async () => {
    const path = new URL(`/postbacks/${application}`, gateway.base);
    const preflight = await fetch(path, { method: 'OPTIONS' });
    const origin = { origin: 'https://page.example' };
    for (const response of [preflight, await post(record('reg-1'), { ...basic(), ...origin })]) {
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('postbacks of course providers are passed on each time they are repeated, with one lookup of the secret', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await post(record('reg-1'), basic())).status).toBe(204);
    }
    expect(broughtForward()).toHaveLength(3);
    expect(lookups()).toBe(1);
  });

  it('postbacks of course providers get the same 401 for wrong and missing credentials, and for an unknown application', async () => {
    const body = record('reg-1');
    const responses = [
      await post(body, basic('wrong')),
      await post(body, basic(secret, 'somebody')),
      await post(body, basic(secret), 1_000_000),
      await post(body, basic(secret), 'abc'),
      await post(body, { 'content-type': 'application/json' }),
      await post(body, { authorization: 'Basic %%%', 'content-type': 'application/json' }),
      await post(form({ data: body, username: 'postback', password: 'wrong' })),
      await post(form({ data: body })),
      await post('not json', basic('wrong')),
    ];
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="postbacks"');
      expect(await response.text()).toBe('');
    }
    expect(broughtForward()).toEqual([]);
  });

  it('postbacks of course providers are taken with a new secret at once, which costs one lookup in a second at most', async () => {
    await post(record('reg-1'), basic());
    setSecret('replaced');
    const statuses = [];
    // The lookup is older than a second before the loop ends, however fast it runs.
    while (statuses.at(-1) !== 204) {
      statuses.push((await post(record('reg-1'), basic('replaced'))).status);
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(statuses.length > 1 ? [401] : []));
    expect(lookups()).toBe(2);
    expect((await post(record('reg-1'), basic())).status).toBe(401);
  });

  it.each([
    ['no JSON', 'garbage'],
    ['a list', '[]'],
    ['no id', '{"registrationId":"reg-1"}'],
    ['an id that is an object', '{"id":{"a":1}}'],
    ['an id that is a number', '{"id":5}'],
    ['an empty id', '{"id":""}'],
    ['an id of 256 characters', record('r'.repeat(256))],
    ['a member that is nested too deeply', `{"id":"a","deep":${'['.repeat(10_000)}`],
    ['an empty body', ''],
  ])('postbacks of course providers get 400 for %s', async (_, body) => {
    expect((await post(body, basic())).status).toBe(400);
    const fields = { data: body, username: 'postback', password: secret };
    expect((await post(form(fields))).status).toBe(400);
    expect(broughtForward()).toEqual([]);
  });

  it('postbacks of course providers get 400 for another type of content', async () => {
    for (const type of ['text/plain', 'not a type']) {
      const headers = { ...basic(), 'content-type': type };
      expect((await post(record('reg-1'), headers)).status).toBe(400);
    }
    const file = new FormData();
    file.set('data', new Blob(['a file']), 'data.json');
    const { authorization } = basic();
    expect((await post(file, { authorization })).status).toBe(400);
  });

  it('postbacks of course providers get 413 above 1 MiB, with and without a length', async () => {
    const large = JSON.stringify({ id: 'reg-1', filler: 'x'.repeat(1024 * 1024) });
    expect((await post(large, basic())).status).toBe(413);
    expect((await post(new Blob([large]).stream(), basic())).status).toBe(413);
    const fields = form({ data: large, username: 'postback', password: secret });
    expect((await post(fields)).status).toBe(413);
    const small = JSON.stringify({ id: 'reg-1', filler: 'x'.repeat(1024 * 1024 - 100) });
    expect((await post(small, basic())).status).toBe(204);
  });

  const flood = (count: number) =>
    Promise.all(Array.from({ length: count }, () => post(record('reg-1'), basic())));

  it('postbacks of course providers get 429 with Retry-After beyond the rate of their application, and others go on', async () => {
    // Nothing refills, however slow the machine is.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const responses: Response[] = [];
    while (responses.every(({ status }) => status === 204)) responses.push(...(await flood(50)));
    const refused = responses.filter(({ status }) => status !== 204);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(
      new Set(['1']),
    );
    expect(responses.length - refused.length).toBeGreaterThanOrEqual(200);
    expect(broughtForward()).toHaveLength(responses.length - refused.length);
    application += 1;
    setSecret(secret);
    expect((await post(record('reg-1'), basic())).status).toBe(204);
    expect((await gateway.get('/course.json?api_key=key-of-realm')).status).toBe(200);
    const scrape = await scrapeMetrics(gateway.app);
    expect(scrape.value('registrar_http_over_limit_total', { limit: 'postbacks' })).toBe(
      refused.length,
    );
    expect(scrape.value('registrar_http_postbacks_total', { status: '429' })).toBe(refused.length);
  });

  it('postbacks of course providers get 429 while the crawler works on 4 of their application and 64 wait', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.contexts.receive = async (contract) => {
      if (contract === 'crawler.bring-forward') await gate.promise;
    };
    const statuses: number[] = [];
    const responses = Array.from({ length: 76 }, async () => {
      statuses.push((await post(record('reg-1'), basic())).status);
      if (statuses.length === 8) gate.resolve();
    });
    await Promise.all(responses);
    expect(statuses.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 429));
    expect(statuses.slice(8)).toEqual(Array.from({ length: 68 }, () => 204));
  });

  it('postbacks of course providers get 503 with Retry-After while the crawler or identity is away', async () => {
    gateway.contexts.receive = async (contract) => {
      if (contract !== 'crawler.bring-forward') return;
      throw new Failure('unavailable', 'the crawler is away');
    };
    const response = await post(record('reg-1'), basic());
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    application += 1;
    gateway.contexts.receive = async () => {
      throw new Failure('unavailable', 'identity is away');
    };
    expect((await post(record('reg-1'), basic())).status).toBe(503);
    gateway.contexts.receive = async () => undefined;
    setSecret(secret);
    expect((await post(record('reg-1'), basic())).status).toBe(204);
  });

  it('postbacks with guessed secrets are slowed down, and valid ones are not', async () => {
    const before = await scrapeMetrics(gateway.app);
    for (let guess = 0; guess < 6; guess += 1) {
      expect((await post(record('reg-1'), basic(`guess-${guess}`))).status).toBe(401);
    }
    expect((await post(record('reg-1'), basic())).status).toBe(204);
    const after = await scrapeMetrics(gateway.app);
    const increase = (name: string, labels: Record<string, string>) =>
      (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
    expect(increase('registrar_access_failures_total', { mode: 'postback' })).toBe(6);
    expect(increase('registrar_access_slowed_total', { outcome: 'delayed' })).toBe(2);
  });

  it('postbacks of course providers are never logged, neither their bodies nor their credentials', async () => {
    const body = record(`private-${randomUUID()}`);
    await post(body, basic('wrong-password'));
    await post(`${body}garbage`, basic());
    await post(form({ data: `{"id":"private-1"`, username: 'postback', password: secret }));
    const log = JSON.stringify(gateway.lines());
    expect(log).toContain('the body is not valid JSON');
    expect(log).not.toMatch(/private-|wrong-password|secret-of-postbacks|cG9zdGJhY2s6/);
  });
});
