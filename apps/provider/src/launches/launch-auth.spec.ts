import { sql } from '@registrar/persistence';
import { stepTime } from '@registrar/persistence/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';
import { windowCookieHeader } from './window-cookie.ts';

describe('launchAuth of a launch link', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture?.stop());

  const open = async (launchAuth: object) => fixture.open(await fixture.register(), { launchAuth });
  const cookieOf = (page: Response) =>
    /^window=[\w-]{43}/.exec(page.headers.get('set-cookie') ?? '')?.[0];

  it('a window with cookies works only in the browser that loads it first', async () => {
    for (const launchAuth of [{ type: 'cookies' }, {}]) {
      const window = await open(launchAuth);
      expect((await window.get('course')).status).toBe(410);
      const page = await window.get('index.html');
      expect(page.headers.get('set-cookie')).toMatch(
        /^window=[\w-]{43}; Max-Age=43200; HttpOnly; SameSite=Lax$/,
      );
      const cookie = cookieOf(page) ?? expect.unreachable();
      expect((await window.get('course', { cookie: `a=b; ${cookie}; c=d` })).status).toBe(200);
      expect((await window.get('index.html', { cookie })).status).toBe(200);
      for (const wrong of ['', `window=${'x'.repeat(43)}`]) {
        expect((await window.get('course', { cookie: wrong })).status).toBe(410);
        const other = await window.get('index.html', { cookie: wrong });
        expect([other.status, cookieOf(other)]).toEqual([410, undefined]);
      }
      expect((await window.post('exit', {})).status).toBe(410);
    }
  });

  it('a window of the type vault, or without launchAuth, is opened by its URL alone', async () => {
    for (const options of [{ launchAuth: { type: 'vault' } }, {}]) {
      const window = await fixture.open(await fixture.register(), options);
      expect((await window.get('index.html')).headers.get('set-cookie')).toBe(null);
      expect((await window.get('course')).status).toBe(200);
    }
  });

  it('a window with ipAddress works only at the address that followed the link', async () => {
    const window = await open({ type: 'vault', options: { ipAddress: true } });
    expect((await window.get('index.html')).status).toBe(200);
    await fixture.provider.database.execute(
      sql`UPDATE launches SET client_address = '192.0.2.1' WHERE client_address IS NOT NULL`,
    );
    expect((await window.get('course')).status).toBe(410);
  });

  it('a browser at another address does not get the cookie of a window with cookies and ipAddress', async () => {
    const window = await open({ options: { ipAddress: true } });
    const moveBy = (addresses: number) =>
      fixture.provider.database.execute(
        sql`UPDATE launches SET client_address = client_address + ${addresses}::bigint WHERE needs_cookie`,
      );
    await moveBy(1);
    const elsewhere = await window.get('index.html');
    expect([elsewhere.status, cookieOf(elsewhere)]).toEqual([410, undefined]);
    await moveBy(-1);
    const page = await window.get('index.html');
    expect([page.status, cookieOf(page)]).toEqual([200, expect.any(String)]);
  });

  it('a window with cookies that has ended sends no cookie', async () => {
    const window = await open({ options: { expiry: 60 } });
    await stepTime(61, fixture.provider.database);
    const page = await window.get('index.html');
    expect([page.status, cookieOf(page)]).toEqual([410, undefined]);
  });

  it('a window with expiry ends after that many seconds, also when it was left and reloaded', async () => {
    const window = await open({ type: 'vault', options: { expiry: 60 } });
    const sitting = await window.begin('first');
    await window.report({ activityId: 'first', sitting, sequence: 1 }, {}, { closing: true });
    await window.begin('first');
    await stepTime(59, fixture.provider.database);
    expect((await window.get('course')).status).toBe(200);
    await stepTime(2, fixture.provider.database);
    expect((await window.get('course')).status).toBe(410);
  });

  it('the cookie of a window is sent in frames of other sites too by HTTPS, apart for each of them', () => {
    expect(windowCookieHeader('a', true)).toBe(
      'window=a; Max-Age=43200; HttpOnly; Secure; SameSite=None; Partitioned',
    );
  });

  it.each([
    [{ type: 'saml' }, 'launchAuth.type: is not one of cookies, vault'],
    [{ options: { fingerprint: true } }, 'launchAuth.options.fingerprint: is not supported'],
    [{ options: { slidingExpiry: 60 } }, 'launchAuth.options.slidingExpiry: is not supported'],
    [{ options: { expiry: 0 } }, 'launchAuth.options.expiry: '],
    [{ options: { expiry: 43_201 } }, 'launchAuth.options.expiry: '],
    [{ key: 'x' }, 'launchAuth.key: is not supported'],
  ])('launchAuth %j is refused with 400', async (launchAuth, message) => {
    const paths = [
      `registrations/${await fixture.register()}/launchLink`,
      'courses/two-parts/preview',
    ];
    for (const path of paths) {
      expect(await fixture.client.sendJson('POST', path, { launchAuth })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) },
      });
    }
  });
});
