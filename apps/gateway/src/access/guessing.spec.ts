import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, scrapeMetrics } from '@registrar/testing';
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
      blockedFrom: 8,
      firstDelayMs: 1,
      maxDelayMs: 4,
    };
    gateway = await startGatewayFixture(settings, { failedAccesses });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway.stop());

  const from = async (address: string, path: string) => {
    const response = await gateway.get(path, { headers: { 'x-forwarded-for': address } });
    await response.arrayBuffer();
    return response;
  };
  const statusFrom = async (address: string, path: string) => (await from(address, path)).status;
  const count = async (name: string, labels: Record<string, string>) =>
    (await scrapeMetrics(gateway.app)).value(`registrar_access_${name}_total`, labels);
  const lookups = () => gateway.received('identity.resolve-access').length;

  it('logs the address that a trusted proxy names, and passes it on to the contexts', async () => {
    await from('2001:DB8::7', `${courses}api_key=wrong-key`);
    const refused = gateway.lines().findLast(({ msg }) => msg === 'request refused');
    expect(refused).toMatchObject({ client_address: '2001:db8::7', code: 'unauthenticated' });
    expect(gateway.contexts.clientAddresses.at(-1)).toBe('2001:db8::7');
  });

  it('delays failures of an address, then refuses it unchecked, and no other address', async () => {
    const guess = (key: number) => statusFrom('192.0.2.1', `${courses}api_key=guess-${key}`);
    expect(await statusFrom('192.0.2.1', `${courses}api_key=key-of-application`)).toBe(200);
    for (const key of [1, 2]) expect(await guess(key)).toBe(401);
    expect(await count('slowed', { outcome: 'delayed' })).toBe(0);
    for (const key of [3, 4, 5, 6, 7, 8]) expect(await guess(key)).toBe(401);
    expect(await count('slowed', { outcome: 'delayed' })).toBe(6);

    const before = lookups();
    const refused = await from('192.0.2.1', `${courses}api_key=key-of-realm`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(lookups()).toBe(before);
    expect(await count('slowed', { outcome: 'refused' })).toBe(1);
    // Credentials that were valid lately go on.
    await gateway.changeAccess(1);
    await eventually('the gateway looks the key up again', async () => {
      expect(await statusFrom('192.0.2.1', `${courses}api_key=key-of-application`)).toBe(200);
      return lookups() > before;
    });
    expect(await statusFrom('192.0.2.2', `${courses}api_key=key-of-realm`)).toBe(200);
    const reports = gateway.lines().filter(({ msg }) => String(msg).includes('guesses'));
    expect(reports.map((line) => line['client_address'])).toEqual(['192.0.2.1']);
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
