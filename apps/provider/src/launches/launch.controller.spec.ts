import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
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

  it('a launch link opens a new course window each time, without a login', async () => {
    const link = await fixture.launchLink(await fixture.register());
    const urls = [];
    for (let time = 0; time < 2; time += 1) {
      const answer = await fetch(link, { redirect: 'manual' });
      expect(answer.status).toBe(303);
      urls.push(new URL(answer.headers.get('location') ?? '', link).href);
    }
    expect(urls[0]).toMatch(/\/play\/[\w-]{43}\/index\.html$/);
    expect(urls[1]).not.toBe(urls[0]);
    const page = await fetch(urls[0] ?? '');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('a launch link leaves the result UNKNOWN until an activity is opened', async () => {
    const registration = await fixture.register();
    await (await fixture.open(registration)).course();
    const { body } = await fixture.client.get(`registrations/${registration}`);
    expect(body).toMatchObject({ registrationCompletion: 'UNKNOWN', totalSecondsTracked: 0 });
    expect(body).not.toHaveProperty('firstAccessDate');
  });

  it('an expired launch link shows a notice', async () => {
    const past = new Date(Date.now() - 60_000);
    const answer = await follow(await signLaunch(claims, 30, fixture.key, past));
    expect(answer.status).toBe(410);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.text).toContain('This link has expired');
    expect(answer.text).not.toMatch(/two-parts|Ada|JWT|<script/);
  });

  it('a launch link with a wrong signature shows a notice', async () => {
    const forged = await signLaunch(claims, 30, randomBytes(32));
    const right = await signLaunch(claims, 30, fixture.key);
    for (const token of [forged, right.slice(0, -2), 'nonsense', `${right}.x`]) {
      const answer = await follow(token);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('This link does not open a course');
      expect(answer.text).not.toMatch(/signature|JWT|<script/i);
    }
  });

  it('a launch link returns 410 after its registration was deleted', async () => {
    const registration = await fixture.register();
    const link = await fixture.launchLink(registration);
    const window = await fixture.open(registration);
    await fixture.client.delete(`registrations/${registration}`);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(410);
    expect((await window.get('index.html')).status).toBe(410);
  });

  it('a launch link accepts only http and https redirect URLs', async () => {
    const path = `registrations/${await fixture.register()}/launchLink`;
    for (const redirectOnExitUrl of ['javascript:alert(1)', 'data:text/html,x', '//example.com']) {
      const answer = await fixture.client.sendJson('POST', path, { redirectOnExitUrl });
      expect(answer.status).toBe(400);
    }
    const scripted = { ...claims, redirectUrl: 'javascript:alert(1)' };
    expect((await follow(await signLaunch(scripted, 30, fixture.key))).status).toBe(403);
  });
});

describe("the player's files", () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const file = (name: string) => fetch(`${fixture.provider.url}/player/${name}`);
  /** The status of a conditional request; `fetch` would add `Cache-Control: no-cache` to it. */
  const revalidate = async (name: string, etag: string) => {
    const sent = get(`${fixture.provider.url}/player/${name}`, {
      headers: { 'if-none-match': etag },
    });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  it("serves the player's files with their types, and with 304 if the browser has them", async () => {
    for (const [name, type] of [
      ['player.js', 'text/javascript; charset=utf-8'],
      ['player.css', 'text/css; charset=utf-8'],
      ['scorm-12.js', 'text/javascript; charset=utf-8'],
      ['scorm-2004.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const answer = await file(name);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([name, 200, type]);
      const etag = answer.headers.get('etag') ?? '';
      expect(await revalidate(name, etag)).toBe(304);
    }
  });

  it('returns 404 for all other files', async () => {
    for (const name of [
      ...['..%2Fmain.ts', '%2e%2e%2findex.ts', 'package.json'],
      ...['player.spec.ts', 'player.fixture.ts', 'player.html'],
    ]) {
      expect((await file(name)).status).toBe(404);
    }
  });
});
