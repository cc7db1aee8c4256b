import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessScope } from '@registrar/contracts';
import { testScope } from '@registrar/testing';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import { launchRedirect } from './bright.ts';

const compatibility = { clients: 'bright', userLicenses: false } as const;
const bright = testScope({ compatibility });

describe('launchRedirect', () => {
  const launched = 'bright_redirect_from_launch=a%26b';
  it.each([
    ['https://client.example', `https://client.example?${launched}`],
    ['https://client.example/?a=1', `https://client.example/?a=1&${launched}`],
    ['https://client.example/#a?b', `https://client.example/?${launched}#a?b`],
    ['https://client.example/?a#b#c', `https://client.example/?a&${launched}#b#c`],
    ['https://client.example/#', `https://client.example/?${launched}#`],
  ])('launchRedirect makes %s %s', (url, expected) => {
    expect(launchRedirect(bright, 'a&b', url)).toBe(expected);
  });

  it('launchRedirect leaves an address as it is in other realms, and returns null without one', () => {
    expect(launchRedirect(testScope(), 'guid', 'https://client.example/')).toBe(
      'https://client.example/',
    );
    expect(launchRedirect(bright, 'guid', undefined)).toBeNull();
  });
});

describe('the gateway in a realm that serves the clients of Bright', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
    const { scopes } = gateway.contexts;
    for (const [name, scope] of [...scopes]) {
      scopes.set(`bright-${name}`, accessScope.parse({ ...scope, compatibility }));
    }
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const read = async (path: string, parameters = '') =>
    (await gateway.get(`${path}?api_key=bright-key-of-user&${parameters}`)).text();

  it('shows success as passed in registrations and in those of courses', async () => {
    expect(JSON.parse(await read('/registration.json', 'fields=success'))).toEqual([
      { success: 'passed' },
    ]);
    expect(await read('/registration.csv', 'fields=success')).toContain('passed');
    expect(await read('/registration/reg-9.json', 'fields=success')).toBe('{"success":"passed"}');
    expect(JSON.parse(await read('/course.json', 'fields=registrations.success'))).toEqual([
      { registrations: [{ success: 'passed' }] },
    ]);
    expect(await read('/course/knots.json', 'fields=registrations.success')).toBe(
      '{"registrations":{"success":"passed"}}',
    );
    const plain = await gateway.get('/registration.json?fields=success&api_key=key-of-user');
    expect(await plain.json()).toEqual([{ success: 'succeeded' }]);
  });
});
