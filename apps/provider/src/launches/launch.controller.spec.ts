import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes, randomUUID } from 'node:crypto';
import { rotateLaunchKey } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { PauseApplications } from '../applications/pause-applications.ts';
import { Client } from '../provider.fixture.ts';
import { signLaunch } from './launch-link.ts';
import { type LaunchesFixture, plainLaunch, startLaunchesFixture } from './launches.fixture.ts';

describe('a launch link', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const claims = {
    registration: 1,
    generation: 0,
    id: 'a'.repeat(32),
    label: randomUUID(),
    ...plainLaunch,
  };
  const follow = async (token: string) => {
    const address = `${fixture.provider.url}/launch/${token}`;
    const answer = await fetchAtLocalhost(address);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('a launch link opens a course window without a login', async () => {
    const link = await fixture.launchLink(await fixture.register());
    const window = await fixture.follow(link);
    expect(window.address).toMatch(/\/play\/[\w-]{43}\/index\.html$/);
    const page = await window.get('index.html');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('a launch link opens one window, which can be reloaded', async () => {
    const registration = await fixture.register();
    const redirectOnExitUrl = 'https://example.com/courses';
    const link = await fixture.launchLink(registration, { redirectOnExitUrl });
    // The response may have been lost: until a window was loaded, the link opens another.
    const lost = await fixture.follow(link);
    const window = await fixture.follow(link);
    expect((await lost.get('index.html')).status).toBe(410);
    for (let load = 0; load < 2; load += 1) {
      expect((await window.get('index.html')).status).toBe(200);
    }
    const second = await fetchAtLocalhost(link);
    expect(second.status).toBe(410);
    const text = await second.text();
    expect(text).toContain('This link has been used');
    expect(text).toContain(`href="${redirectOnExitUrl}"`);
    expect((await window.get('course')).status).toBe(200);
    await window.post('exit', {});
    expect((await fetchAtLocalhost(link)).status).toBe(410);
    const path = `registrations/${registration}/launchHistory`;
    const { body } = await fixture.client.get<{ launchHistory: unknown[] }>(path);
    expect(body.launchHistory).toHaveLength(1);
  });

  describe('of an application that is paused with its realm', () => {
    const switchRealm = (enabled: boolean, version: number) =>
      fixture.provider.app.get(PauseApplications).apply({
        realmId: 1,
        enabled,
        version,
        at: '2026-01-02T03:04:05Z',
        appIds: [fixture.client.appId, 'app-at-another-provider'],
      });
    const opensWindow = async (link: string) => (await fetchAtLocalhost(link)).status < 400;

    it('opens no course, nor does its window, while the API refuses all but the end of launches', async () => {
      const registration = await fixture.register();
      const other = await fixture.provider.client();
      const [link, unused] = [
        await fixture.launchLink(registration),
        await fixture.launchLink(registration),
      ];
      const window = await fixture.follow(link);
      expect((await window.get('index.html')).status).toBe(200);
      const { client } = fixture;
      const newRegistration = () => ({
        courseId: 'two-parts',
        registrationId: randomUUID(),
        learner: { id: 'learner' },
      });
      const statuses = async () => [
        (await client.get('courses')).status,
        (await client.get('registrations')).status,
        (await client.sendJson('POST', 'registrations', {})).status,
        (await client.sendJson('POST', 'registrations', newRegistration())).status,
        (await client.sendJson('POST', `registrations/${registration}/launchLink`, {})).status,
        (await client.upload('two-parts', Buffer.from('no zip'))).status,
      ];
      await switchRealm(false, 2);
      // The event before arrives late.
      await switchRealm(true, 1);
      expect(new Set(await statuses())).toEqual(new Set([403]));
      expect((await new Client(client.baseUrl, client.appId, 'wrong').get('ping')).status).toBe(
        401,
      );
      expect((await client.get('ping')).status).toBe(200);
      expect((await other.get('courses')).status).toBe(200);
      expect(await opensWindow(unused)).toBe(false);
      expect((await window.get('index.html')).status).toBe(410);
      expect((await window.get('content/video.mp4')).status).toBeGreaterThanOrEqual(400);
      expect((await client.delete(`registrations/${registration}/launches`)).status).toBe(204);
      await switchRealm(true, 3);
      expect((await statuses()).slice(0, 2)).toEqual([200, 200]);
      // They were ended meanwhile.
      expect((await window.get('index.html')).status).toBe(410);
      expect(await opensWindow(unused)).toBe(false);
      await fixture.open(registration);
    });
  });

  it('a launch link that is followed ten times at once opens one window', async () => {
    const link = await fixture.launchLink(await fixture.register());
    const windows = await Promise.all(Array.from({ length: 10 }, () => fixture.follow(link)));
    const loaded = await Promise.all(
      windows.map(async (window) => (await window.get('index.html')).status === 200),
    );
    expect(loaded.filter(Boolean)).toHaveLength(1);
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
    const forged = await signLaunch(claims, 30, { ...fixture.key, key: randomBytes(32) });
    const unknown = await signLaunch(claims, 30, { ...fixture.key, kid: 'unknown' });
    const right = await signLaunch(claims, 30, fixture.key);
    for (const token of [forged, unknown, right.slice(0, -2), 'nonsense', `${right}.x`]) {
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
    const answer = await fetchAtLocalhost(link);
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain('This link has expired');
    expect((await window.get('index.html')).status).toBe(410);
  });

  it('launches end for windows and links, and later links open the course again', async () => {
    const registration = await fixture.register();
    const other = await fixture.open(await fixture.register());
    const window = await fixture.open(registration);
    const position = { activityId: 'first', sitting: await window.begin('first'), sequence: 1 };
    const link = await fixture.launchLink(registration);
    const { status } = await fixture.client.delete(`registrations/${registration}/launches`);
    expect(status).toBe(204);
    for (const path of ['index.html', 'course']) {
      expect([path, (await window.get(path)).status]).toEqual([path, 410]);
    }
    expect((await window.get('content/video.mp4')).status).toBe(404);
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(410);
    const answer = await fetchAtLocalhost(link);
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain('This link has expired');
    expect((await other.get('course')).status).toBe(200);
    expect((await (await fixture.open(registration)).get('course')).status).toBe(200);
  });

  it.each([
    ['is deleted', (id: string) => sql`DELETE FROM registrations WHERE registration_id = ${id}`],
    [
      'has its launches ended',
      (id: string) =>
        sql`UPDATE registrations SET launch_generation = launch_generation + 1 WHERE registration_id = ${id}`,
    ],
  ])('a link that is followed while its registration %s has expired', async (_, statement) => {
    const registration = await fixture.register();
    const link = await fixture.launchLink(registration);
    const answer = await fixture.provider.sendDuring(statement(registration), () =>
      fetchAtLocalhost(link),
    );
    expect(answer.status).toBe(410);
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

describe('the keys of launch links', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const statusOf = async (link: string) => (await fetchAtLocalhost(link)).status;
  const newLink = async () => fixture.launchLink(await fixture.register());
  const rotate = (endLinks: boolean) => fixture.provider.bus.request(rotateLaunchKey, { endLinks });

  it('the keys of launch links are sealed in the database', async () => {
    const { kid, key } = fixture.key;
    const rows = await fixture.provider.database.many(
      z.object({ text: z.string() }),
      sql`SELECT k::text AS text FROM launch_link_keys AS k`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain(kid);
    const bytes = Buffer.from(key);
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      expect(rows[0]?.text).not.toContain(bytes.toString(encoding));
    }
  });

  it('the keys of launch links rotate, and links of the key before open courses until they expire', async () => {
    const replica = await fixture.provider.replica();
    const before = await newLink();
    const { kid } = await rotate(false);
    const after = await newLink();
    const [header = ''] = new URL(after).pathname.split('/').at(-1)?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', kid });
    expect([await statusOf(before), await statusOf(after)]).toEqual([303, 303]);
    const elsewhere = new URL(await newLink());
    elsewhere.port = new URL(replica.url).port;
    expect(await statusOf(elsewhere.href)).toBe(303);
    await replica.stop();
  });

  it('the keys of launch links rotate, and links of the keys before open no course any more if they leaked', async () => {
    const before = await newLink();
    const window = await fixture.open(await fixture.register());
    await rotate(true);
    expect(await statusOf(before)).toBe(403);
    expect(await statusOf(await newLink())).toBe(303);
    // Open windows have tokens of their own.
    expect((await window.get('course')).status).toBe(200);
  });
});

describe('the origins of launches', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const at = (host: string, path: string, headers = {}) =>
    fetchAtLocalhost(`http://${host}:${new URL(fixture.provider.url).port}${path}`, {
      headers,
    });

  it('each registration has an origin of its own, and the same for all of its launches', async () => {
    const registrations = [await fixture.register(), await fixture.register()];
    const originsOf = async (registration: string) => {
      const links = await Promise.all([1, 2].map(() => fixture.launchLink(registration)));
      const windows = await Promise.all(links.map((link) => fixture.follow(link)));
      const origins = windows.map(({ address }) => new URL(address).origin);
      expect(origins).toEqual(links.map((link) => new URL(link).origin));
      return new Set(origins);
    };
    const [first, second] = await Promise.all(registrations.map(originsOf));
    expect([first!.size, second!.size]).toEqual([1, 1]);
    expect(first).not.toEqual(second);
  });

  it('serves a launch at its origin alone', async () => {
    const [link, other] = [
      new URL(await fixture.launchLink(await fixture.register())),
      new URL(await fixture.launchLink(await fixture.register())),
    ];
    for (const host of [other.hostname, 'localhost', '127.0.0.1', 'x.localhost']) {
      expect([host, (await at(host, link.pathname)).status]).toEqual([host, 403]);
    }
    const window = await fixture.follow(link.href);
    expect((await window.get('content/video.mp4')).status).toBe(200);
    for (const host of [other.hostname, 'localhost', '127.0.0.1', 'x.localhost']) {
      for (const [path, status] of [
        ['index.html', 410],
        ['course', 410],
        ['content/video.mp4', 404],
      ] as const) {
        const answer = await at(host, window.url(path).pathname);
        expect([host, path, answer.status]).toEqual([host, path, status]);
      }
    }
  });

  it('serves the API at no origin of a launch, nor to pages of other origins', async () => {
    const { authorization } = fixture.client;
    const { hostname } = new URL(await fixture.launchLink(await fixture.register()));
    for (const host of [hostname, `${hostname}.`]) {
      for (const headers of [{}, { authorization }]) {
        const answer = await at(host, '/api/v2/courses', headers);
        expect([host, answer.status]).toEqual([host, 404]);
        expect(answer.headers.get('www-authenticate')).toBeNull();
      }
    }
    for (const [site, status] of [
      ['none', 200],
      ['same-origin', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const) {
      const headers = { authorization, 'sec-fetch-site': site };
      const answer = await at('localhost', '/api/v2/courses', headers);
      expect([site, answer.status]).toEqual([site, status]);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('sends headers that keep origins apart, and serves no service worker', async () => {
    const window = await fixture.open(await fixture.register());
    for (const path of ['index.html', 'content/video.mp4', '../../player/any/player.js']) {
      const { headers } = await window.get(path);
      expect([path, headers.get('cross-origin-resource-policy')]).toEqual([path, 'same-origin']);
      expect(headers.get('origin-agent-cluster')).toBe('?1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('set-cookie')).toBeNull();
    }
    const worker = await window.get('content/video.mp4', { 'service-worker': 'script' });
    expect(worker.status).toBe(403);
  });
});

describe('an origin that launches share', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture({ contentUrl: 'http://127.0.0.1:8090' });
  });
  afterAll(() => fixture.stop());

  it('serves launches and no API, which has another host', async () => {
    const link = new URL(await fixture.launchLink(await fixture.register()));
    expect(link.origin).toBe('http://127.0.0.1:8090');
    link.port = new URL(fixture.provider.url).port;
    const window = await fixture.follow(link.href);
    expect((await window.get('index.html')).status).toBe(200);
    expect((await fetchAtLocalhost(link.href)).status).toBe(410);
    const { authorization } = fixture.client;
    const ping = (host: string) =>
      fetchAtLocalhost(`http://${host}:${link.port}/api/v2/ping`, { headers: { authorization } });
    expect((await ping('127.0.0.1')).status).toBe(404);
    expect((await ping('localhost')).status).toBe(200);
    const elsewhere = new URL(window.address);
    elsewhere.hostname = 'localhost';
    expect((await fetchAtLocalhost(elsewhere.href)).status).toBe(410);
  });
});

describe("the player's files", () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const file = (path: string, encoding = 'identity', method = 'GET') =>
    fetch(`${fixture.provider.url}/${path}`, { method, headers: { 'accept-encoding': encoding } });

  it("serves the player's files at a URL of their release, which browsers keep", async () => {
    const window = await fixture.open(await fixture.register());
    const html = await (await window.get('index.html')).text();
    const [, release] = /src="\.\.\/\.\.\/player\/([0-9a-f]{16})\/player\.js"/.exec(html) ?? [];
    for (const [name, type] of [
      ['player.js', 'text/javascript; charset=utf-8'],
      ['player.css', 'text/css; charset=utf-8'],
      ['scorm-12.js', 'text/javascript; charset=utf-8'],
      ['scorm-2004.js', 'text/javascript; charset=utf-8'],
    ] as const) {
      const { status, headers } = await file(`player/${release}/${name}`);
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, type]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    // The page of another release, during an upgrade.
    const other = await file(`player/${'0'.repeat(16)}/player.js`);
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it("compresses the player's files by brotli or gzip, as the client accepts them", async () => {
    const path = 'player/any/scorm-2004.js';
    const whole = await (await file(path)).text();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await file(path, accepted);
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      // Decoded by fetch.
      expect(await answer.text()).toBe(whole);
      const sent = Number(answer.headers.get('content-length'));
      expect(sent < whole.length / 4).toBe(encoding !== null);
      const head = await file(path, accepted, 'HEAD');
      expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, sent]);
    }
  });

  it('returns 404 for all other files', async () => {
    for (const name of [
      ...['..%2Fmain.ts', '%2e%2e%2findex.ts', 'package.json'],
      ...['player.browser.spec.ts', 'player.fixture.ts', 'player.html'],
    ]) {
      expect((await file(`player/any/${name}`)).status).toBe(404);
    }
  });
});
