import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepTime } from '@registrar/persistence/testing';
import { freePort } from '@registrar/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { type ConsoleFixture, cookieOf, startConsoleFixture } from '../console.fixture.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider.ts';
import { returnPath } from './return-path.ts';

describe('a one-time link', () => {
  let console: ConsoleFixture;
  beforeAll(async () => {
    console = await startConsoleFixture();
  });
  afterAll(() => console.stop());

  const redeem = async (token: unknown) => {
    const response = await console.post('/api/sign-in/link', { token });
    await response.text();
    return { status: response.status, cookie: cookieOf(response, 'registrar_console') };
  };
  const newToken = async () => new URL(await console.createLink()).hash.slice(1);

  it('a link signs an operator in once, of many who use it at the same time', async () => {
    const link = await console.createLink();
    expect(link).toMatch(/^http:\/\/localhost:\d+\/sign-in#[\w-]{43}$/);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => redeem(new URL(link).hash.slice(1))),
    );
    const [signedIn, ...others] = outcomes.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(outcomes.filter(({ status }) => status === 404)).toHaveLength(7);
    const session = await console.call('session.show', {}, { cookie: signedIn!.cookie! });
    expect(await session.json()).toMatchObject({ name: 'operator', roles: { operator: true } });
  });

  it('a link is valid for 15 minutes', async () => {
    const [early, late] = [await newToken(), await newToken()];
    await stepTime(14 * 60, console.database);
    expect((await redeem(early)).status).toBe(200);
    await stepTime(61, console.database);
    expect(await redeem(late)).toEqual({ status: 404, cookie: undefined });
  });

  it.each([['a'.repeat(43)], [''], ["' OR true --"], [7], [null], [undefined]])(
    'the token %o signs nobody in',
    async (token) => {
      const { status, cookie } = await redeem(token);
      expect([400, 404]).toContain(status);
      expect(cookie).toBeUndefined();
    },
  );

  it('the log has no token of a link or a session', async () => {
    const token = await newToken();
    const { cookie } = await redeem(token);
    const log = JSON.stringify(console.lines());
    expect(log).toContain('a user signed in to the console');
    expect(log).not.toContain(token);
    expect(log).not.toContain(cookie!.split('=')[1]);
  });
});

describe('the path that a sign-in returns to', () => {
  it.each(['/', '/courses?sort=title&open=7', '/realms/own#top', '/a//b'])(
    '%s is a path of the console',
    (path) => expect(returnPath(path)).toBe(path),
  );

  it.each([
    'https://attacker.example.com',
    '//attacker.example.com',
    '/\\attacker.example.com',
    '\\\\attacker.example.com',
    '/\t/attacker.example.com',
    '/\n/attacker.example.com',
    '/.//attacker.example.com',
    '/a/..//attacker.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //attacker.example.com',
    '',
    `/${'a'.repeat(3_000)}`,
    ['/a', '/b'],
    undefined,
  ])('%o is none', (path) => expect(returnPath(path)).toBe('/'));
});

describe('sign-in by OpenID Connect', () => {
  let provider: TestIdentityProvider;
  let console: ConsoleFixture;
  beforeAll(async () => {
    const port = await freePort();
    provider = await startIdentityProvider(`http://localhost:${port}/sign-in/callback`);
    console = await startConsoleFixture({
      environment: {
        CONSOLE_PORT: String(port),
        ...provider.settings,
      },
    });
  });
  afterAll(async () => {
    await console.stop();
    await provider.stop();
  });

  /** Begins a sign-in as a browser does, and returns where the identity provider sends the browser back to. */
  const begin = async (path = '/sign-in/openid') => {
    const response = await console.fetch(path);
    const transaction = cookieOf(response, 'registrar_console_sign_in')!;
    const callback = await provider.authorize(response.headers.get('location')!);
    return { transaction, callback };
  };
  const finish = async (callback: URL, cookie: string) => {
    const response = await console.fetch(callback.pathname + callback.search, {
      headers: { cookie },
    });
    return {
      location: response.headers.get('location')!.replace(console.base, ''),
      session: cookieOf(response, 'registrar_console'),
    };
  };

  it('a sign-in begins a session with the roles of the claim, and returns to the path', async () => {
    provider.user = {
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      registrar_roles: ['author:own', 'reader:own', 'administrator:foreign', 'owner:own', 7],
    };
    const { transaction, callback } = await begin('/sign-in/openid?return=/courses?open=7');
    const { location, session } = await finish(callback, transaction);
    expect(location).toBe('/courses?open=7');
    const shown = await console.call('session.show', {}, { cookie: session! });
    expect(await shown.json()).toMatchObject({
      name: 'ada@example.com',
      roles: { operator: false, realms: { own: 'author', foreign: 'administrator' } },
    });
  });

  it('an e-mail address that the provider has not verified names nobody', async () => {
    provider.user = { sub: 'eve', email: 'ada@example.com', registrar_roles: ['operator'] };
    const { transaction, callback } = await begin();
    const { session } = await finish(callback, transaction);
    const shown = await console.call('session.show', {}, { cookie: session! });
    expect(await shown.json()).toMatchObject({ name: 'eve', roles: { operator: true } });
  });

  it.each([[undefined], [[]], ['operator'], [{ operator: true }], [['administrator:', 'reader']]])(
    'the claim %o gives no role, and nobody signs in',
    async (roles) => {
      provider.user = { sub: 'bob', registrar_roles: roles };
      const { transaction, callback } = await begin();
      const { location, session } = await finish(callback, transaction);
      expect(location).toMatch(/^\/sign-in\?problem=no-role&request=/);
      expect(session).toBeUndefined();
    },
  );

  it('a callback counts in the browser that began the sign-in alone, and within ten minutes', async () => {
    provider.user = { sub: 'ada', registrar_roles: ['operator'] };
    const own = await begin();
    const other = await begin();
    const expired = { location: expect.stringMatching(/problem=expired/), session: undefined };
    expect(await finish(own.callback, '')).toEqual(expired);
    expect(await finish(own.callback, 'registrar_console_sign_in=forged')).toEqual(expired);
    // Another sign-in has another state.
    const mixed = await finish(own.callback, other.transaction);
    expect(mixed.session).toBeUndefined();
    const late = await begin();
    await stepTime(11 * 60, console.database);
    expect(await finish(late.callback, late.transaction)).toEqual(expired);
  });

  it('a refusal of the provider leads to the page that says so', async () => {
    const { transaction, callback } = await begin();
    const refused = new URL(callback);
    refused.searchParams.delete('code');
    refused.searchParams.set('error', 'access_denied');
    const { location, session } = await finish(refused, transaction);
    expect(location).toMatch(/problem=refused/);
    expect(session).toBeUndefined();
  });

  it('a page finds out that there is a provider', async () => {
    const response = await console.fetch('/api/sign-in', {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(await response.json()).toEqual({ openid: true });
    const policy = (await console.fetch('/sign-in')).headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' ${provider.issuer}`);
  });

  // Last, because it stops the provider.
  it('a provider that stops in between, or hangs, leads to the page that says so', async () => {
    const { transaction, callback } = await begin();
    await provider.stop();
    const { location } = await finish(callback, transaction);
    expect(location).toMatch(/^\/sign-in\?problem=unavailable&request=/);
  });
});

describe('an identity provider that does not answer', () => {
  it.each(['stopped', 'silent'])(
    'a provider that is %s leads to the page that says so',
    async (state) => {
      // A silent one accepts connections and never responds.
      const server = createServer(() => undefined).listen(0);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      if (state === 'stopped') server.close();
      const console = await startConsoleFixture({
        environment: { CONSOLE_OIDC_ISSUER: `http://localhost:${port}` },
      });
      const { headers, status } = await console.fetch('/sign-in/openid');
      await console.stop();
      server.closeAllConnections();
      server.close();
      expect(status).toBe(302);
      expect(headers.get('location')).toMatch(/\/sign-in\?problem=unavailable&request=/);
    },
  );

  it('the console without a provider says so', async () => {
    const console = await startConsoleFixture();
    const { headers } = await console.fetch('/sign-in/openid');
    await console.stop();
    expect(headers.get('location')).toMatch(/\/sign-in\?problem=no-provider&request=/);
  });
});
