import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';
import { signLaunch } from './launch-link.ts';

describe('a launch link', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const claims = { registration: 1, tracking: true, redirectUrl: null };
  const follow = async (token: string) => {
    const address = `${fixture.provider.url}/launch/${token}`;
    const answer = await fetch(address, { redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('leads without a login to a page of its own each time', async () => {
    const link = await fixture.launchLink(await fixture.register());
    const places = [];
    for (let time = 0; time < 2; time += 1) {
      const answer = await fetch(link, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      places.push(new URL(answer.headers.get('location') ?? '', link).href);
    }
    expect(places[0]).toMatch(/\/play\/[\w-]{43}\/index\.html$/);
    expect(places[1]).not.toBe(places[0]);
    const page = await fetch(places[0] ?? '');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('alone tracks nothing: a course that nobody began stays unknown', async () => {
    const registration = await fixture.register();
    await (await fixture.open(registration)).course();
    const { body } = await fixture.client.get(`registrations/${registration}`);
    expect(body).toMatchObject({ registrationCompletion: 'UNKNOWN', totalSecondsTracked: 0 });
    expect(body).not.toHaveProperty('firstAccessDate');
  });

  it('gets a plain page once it has expired', async () => {
    const past = new Date(Date.now() - 60_000);
    const answer = await follow(await signLaunch(claims, 30, fixture.key, past));
    expect(answer.status).toBe(410);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('This link has expired');
    expect(answer.text).not.toMatch(/two-parts|Ada|JWT|<script/);
  });

  it('gets a plain page when it was forged or cut short', async () => {
    const forged = await signLaunch(claims, 30, randomBytes(32));
    const right = await signLaunch(claims, 30, fixture.key);
    for (const token of [forged, right.slice(0, -2), 'nonsense', `${right}.x`]) {
      const answer = await follow(token);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This link does not open a course');
      expect(answer.text).not.toMatch(/signature|JWT|<script/i);
    }
  });

  it('is over with its registration', async () => {
    const registration = await fixture.register();
    const link = await fixture.launchLink(registration);
    const window = await fixture.open(registration);
    await fixture.client.delete(`registrations/${registration}`);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
    expect((await window.get('index.html')).status).toBe(410);
  });

  it('leads back to http addresses alone', async () => {
    const path = `registrations/${await fixture.register()}/launchLink`;
    for (const redirectOnExitUrl of ['javascript:alert(1)', 'data:text/html,x', '//example.com']) {
      const answer = await fixture.client.sendJson('POST', path, { redirectOnExitUrl });
      expect(answer.status).toBe(400);
    }
    const scripted = { ...claims, redirectUrl: 'javascript:alert(1)' };
    expect((await follow(await signLaunch(scripted, 30, fixture.key))).status).toBe(403);
  });
});

describe("the player's own files", () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const file = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${fixture.provider.url}/player/${name}`, { headers });

  it('are there for browsers, and not sent twice', async () => {
    for (const [name, type] of [
      ['player.js', 'text/javascript; charset=utf-8'],
      ['player.css', 'text/css; charset=utf-8'],
      ['scorm-12.js', 'text/javascript; charset=utf-8'],
      ['scorm-2004.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const answer = await file(name);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type]);
      const etag = answer.headers.get('etag') ?? '';
      expect((await file(name, { 'if-none-match': etag })).status).toBe(304);
    }
  });

  it('are the only ones', async () => {
    for (const name of ['..%2Fmain.ts', '%2e%2e%2findex.ts', 'package.json']) {
      expect((await file(name)).status).toBe(404);
    }
  });
});
