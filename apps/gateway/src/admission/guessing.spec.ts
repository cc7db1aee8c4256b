import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { scrapeMetrics } from '@registrar/testing';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const courses = '/course.json?';
const ofRealm = (secret: string) => `${courses}realm_guid=realm-1&realm_secret_key=${secret}`;

describe('a gateway whose credentials are guessed', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    const settings = { MANAGEMENT_PORT: '0', TRUSTED_PROXIES: 'loopback' };
    const failedAccesses = {
      undelayedOfNetwork: 2,
      undelayedOfAccount: 4,
      firstDelayMs: 1,
      maxDelayMs: 4,
      trustsPeer: (address: string) => address === '127.0.0.1',
    };
    gateway = await startGatewayFixture(settings, { failedAccesses });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway.stop());

  const from = async (address: string, path: string, more: Record<string, string> = {}) => {
    const headers = { 'x-forwarded-for': address, ...more };
    const response = await gateway.get(path, { headers });
    await response.arrayBuffer();
    return response;
  };
  const statusFrom = async (address: string, path: string) => (await from(address, path)).status;
  const count = async (name: string, labels: Record<string, string>) =>
    (await scrapeMetrics(gateway.app)).value(`registrar_access_${name}_total`, labels);

  it('logs the address that a trusted proxy names, and passes it on to the contexts', async () => {
    await from('2001:DB8::7', `${courses}api_key=wrong-key`);
    const refused = gateway.lines().findLast(({ msg }) => msg === 'request refused');
    expect(refused).toMatchObject({ client_address: '2001:db8::7', code: 'unauthenticated' });
    expect(gateway.contexts.clientAddresses.at(-1)).toBe('2001:db8::7');
  });

  it('delays failures of an address, and never valid credentials of the same address', async () => {
    const guess = (key: number) => statusFrom('192.0.2.1', `${courses}api_key=guess-${key}`);
    for (const key of [1, 2]) expect(await guess(key)).toBe(401);
    expect(await count('slowed', { outcome: 'delayed' })).toBe(0);
    for (let key = 3; key <= 150; key += 1) expect(await guess(key)).toBe(401);
    expect(await count('slowed', { outcome: 'delayed' })).toBe(148);
    // Credentials that no gateway has seen before.
    for (const access of ['api_key=key-of-realm', 'api_key=key-of-application']) {
      expect(await statusFrom('192.0.2.1', courses + access)).toBe(200);
    }
    expect(await statusFrom('192.0.2.1', ofRealm('realm-secret'))).toBe(200);
    expect(await count('slowed', { outcome: 'delayed' })).toBe(148);
    const reports = gateway.lines().filter(({ msg }) => String(msg).includes('guesses'));
    expect(reports.map((line) => line['client_address'])).toEqual(['192.0.2.1']);
  });

  it('delays failures of the Authorization header as those of the parameters', async () => {
    const delayed = async () => (await count('slowed', { outcome: 'delayed' })) ?? 0;
    const before = await delayed();
    const basic = (secret: string) => Buffer.from(`realm-7:${secret}`).toString('base64');
    const guesses = ['Bearer one', `Basic ${basic('two')}`, 'Bearer three', `Basic ${basic('4')}`];
    for (const authorization of guesses) {
      expect((await from('192.0.2.9', '/course.json', { authorization })).status).toBe(401);
    }
    expect(await delayed()).toBe(before + 2);
    const valid = await from('192.0.2.9', '/course.json', { authorization: 'Bearer key-of-realm' });
    expect(valid.status).toBe(200);
    expect(await delayed()).toBe(before + 2);
  });

  it('answers failures with 503 and Retry-After after the check while too many answers wait', async () => {
    const failures = 40;
    let checked = 0;
    const allChecked = Promise.withResolvers<void>();
    gateway.contexts.lookUp = async (key) => {
      if (!key.startsWith('waiting-')) return;
      checked += 1;
      if (checked === failures) allChecked.resolve();
      await allChecked.promise;
    };
    const before = (await count('slowed', { outcome: 'refused' })) ?? 0;
    const responses = await Promise.all(
      Array.from({ length: failures }, (_, each) =>
        from('192.0.2.1', `${courses}api_key=waiting-${each}`),
      ),
    );
    const refused = responses.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(
      failures - refused.length,
    );
    expect(await count('slowed', { outcome: 'refused' })).toBe(before + refused.length);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(
      refused.map(() => '10'),
    );
    expect(checked).toBe(failures);
  });

  it('a gateway whose credentials are guessed does not count credentials that identity recognizes, such as an expired API key', async () => {
    gateway.contexts.lookUp = async (key) => {
      if (!key.startsWith('expired-')) return;
      throw new Failure('unauthenticated', `${key} has expired`, undefined, {
        credentialsKnown: true,
      });
    };
    const counts = async () => [
      await count('failures', { mode: 'api_key' }),
      await count('slowed', { outcome: 'delayed' }),
    ];
    const before = await counts();
    for (let key = 0; key < 12; key += 1) {
      expect(await statusFrom('192.0.2.4', `${courses}api_key=expired-${key}`)).toBe(401);
    }
    expect(await counts()).toEqual(before);
  });

  it('counts failures at the address of a trusted proxy for the account alone', async () => {
    const delayed = async () => (await count('slowed', { outcome: 'delayed' })) ?? 0;
    const before = await delayed();
    for (let key = 0; key < 12; key += 1) {
      expect(await statusFrom('127.0.0.1', `${courses}api_key=proxied-${key}`)).toBe(401);
    }
    expect(await delayed()).toBe(before);
    const ofOther = (secret: number) => `${courses}realm_guid=other&realm_secret_key=${secret}`;
    for (const secret of [1, 2, 3, 4, 5]) {
      expect(await statusFrom('127.0.0.1', ofOther(secret))).toBe(401);
    }
    expect(await delayed()).toBe(before + 1);
  });

  it('counts the same wrong credentials of an address once, such as an expired key that a page sends', async () => {
    const before = (await count('failures', { mode: 'api_key' })) ?? 0;
    for (let round = 0; round < 12; round += 1) {
      expect(await statusFrom('192.0.2.3', `${courses}api_key=expired`)).toBe(401);
    }
    expect(await count('failures', { mode: 'api_key' })).toBe(before + 1);
  });

  it('delays failures that name one realm, from whatever address, and never its valid pair', async () => {
    const delayed = () => count('slowed', { outcome: 'delayed' });
    for (const host of [1, 2, 3, 4]) {
      expect(await statusFrom(`198.51.100.${host}`, ofRealm(`guess-${host}`))).toBe(401);
    }
    const before = (await delayed()) ?? 0;
    expect(await statusFrom('198.51.100.5', ofRealm('guess-5'))).toBe(401);
    expect(await statusFrom('198.51.100.6', ofRealm('realm-secret'))).toBe(200);
    expect(await delayed()).toBe(before + 1);
  });
});
