import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleFixture, startConsoleFixture } from '../console.fixture.ts';
import { operatorRoles } from '../sessions/roles.ts';

describe('the HTTP server of the console', () => {
  let console: ConsoleFixture;
  beforeAll(async () => {
    console = await startConsoleFixture();
  });
  afterAll(() => console.stop());

  const paths = ['/', '/sign-in', '/api/sign-in', '/api/unknown', '/assets/none.js'];

  it.each(paths)(
    'the response to %s forbids frames, foreign scripts and guesses of its type',
    async (path) => {
      const { headers } = await console.fetch(path, {
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'; base-uri 'self'; form-action 'self'");
      expect(policy).not.toMatch(/unsafe|\*|http:/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.has('strict-transport-security')).toBe(false);
    },
  );

  it('the response behind https makes browsers use https alone', async () => {
    const secure = await startConsoleFixture({
      environment: { CONSOLE_URL: 'https://console.example.com' },
    });
    const { headers } = await secure.fetch('/sign-in');
    await secure.stop();
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('sign-ins of an address beyond its rate are refused, and its other requests are answered', async () => {
    const limited = await startConsoleFixture();
    const signIn = async () => {
      const response = await limited.fetch('/api/sign-in/link', {
        method: 'POST',
        body: JSON.stringify({ token: 'a'.repeat(43) }),
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      });
      const { code } = (await response.json()) as { code: string };
      return `${response.status} ${code}`;
    };
    const outcomes = new Set(await Promise.all(Array.from({ length: 100 }, signIn)));
    const { status } = await limited.fetch('/sign-in');
    await limited.stop();
    expect([...outcomes].toSorted()).toEqual(['404 not-found', '503 over-limit']);
    expect(status).toBe(200);
  });

  describe('a request that another site may have caused', () => {
    const attempt = async (headers: Record<string, string>) => {
      const { cookie } = await console.signIn(operatorRoles);
      const response = await console.fetch('/api/calls/session.show', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', cookie, ...headers },
      });
      await response.text();
      return response.status;
    };

    it.each([
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'OWN' },
      { origin: 'https://attacker.example.com' },
      { origin: 'null' },
      {},
    ])('a call is refused with the headers %o', async (headers) => {
      const given = Object.entries(headers).map(([name, value]) => [
        name,
        value === 'OWN' ? console.base : value,
      ]);
      expect(await attempt(Object.fromEntries(given) as Record<string, string>)).toBe(403);
    });

    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
      'a call is refused with the Content-Type %s of a form',
      async (type) => {
        const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type };
        expect(await attempt(headers)).toBe(415);
      },
    );

    it.each(['application/json', 'multipart/form-data; boundary=x'])(
      'an upload is refused with the Content-Type %s',
      async (type) => {
        const { cookie } = await console.signIn(operatorRoles);
        const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': type };
        const init = { method: 'POST', body: '{}', headers };
        expect((await console.fetch('/api/uploads/course?realm=own', init)).status).toBe(415);
      },
    );

    it('a call is refused with the Content-Type of an upload', async () => {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/zip' };
      expect(await attempt(headers)).toBe(415);
    });

    it('a request of an older browser is accepted from a page of the console', async () => {
      expect(await attempt({ origin: console.base })).toBe(200);
    });

    it.each(['/api/sign-out', '/api/sign-out-everywhere', '/api/sign-in/link'])(
      '%s is refused too',
      async (path) => {
        const { cookie } = await console.signIn(operatorRoles);
        const headers = { cookie, 'sec-fetch-site': 'cross-site' };
        expect((await console.post(path, {}, headers)).status).toBe(403);
        expect((await console.call('session.show', {}, { cookie })).status).toBe(200);
      },
    );

    it('a stream is refused', async () => {
      const { cookie } = await console.signIn(operatorRoles);
      const headers = { cookie, 'sec-fetch-site': 'cross-site' };
      const response = await console.fetch('/api/live?watch=overview.apps&input={}', { headers });
      expect(response.status).toBe(403);
    });
  });

  it('a body of more than 64 KiB is refused without a session, and of more than 1 MiB with one', async () => {
    const cookie = await console.signIn(operatorRoles);
    const status = async (bytes: number, headers: Record<string, string>) =>
      (await console.call('session.show', { text: 'a'.repeat(bytes) }, headers)).status;
    expect(await status(70 * 1024, {})).toBe(413);
    expect(await status(70 * 1024, cookie)).toBe(200);
    expect(await status(1024 * 1024, cookie)).toBe(413);
  });

  it('everything is served under the path of CONSOLE_URL', async () => {
    const prefixed = await startConsoleFixture({
      environment: { CONSOLE_URL: 'http://localhost/registrar' },
    });
    try {
      expect((await prefixed.call('session.show', {}, {})).status).toBe(401);
      const outside = await fetch(`${prefixed.base}/api/sign-in`, {
        headers: { 'sec-fetch-site': 'same-origin' },
      });
      expect(outside.status).toBe(404);
    } finally {
      await prefixed.stop();
    }
  });
});
