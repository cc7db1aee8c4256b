import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { stepTime } from '@registrar/persistence/testing';
import * as z from 'zod';
import { type ConsoleFixture, cookieOf, startConsoleFixture } from '../console.fixture.ts';
import { operatorRoles } from './roles.ts';
import { maxSessionHours, maxSessionsOfAccount, Sessions } from './sessions.ts';

describe('sessions', () => {
  let console: ConsoleFixture;
  beforeAll(async () => {
    console = await startConsoleFixture();
  });
  afterAll(() => console.stop());

  const statusWith = async (cookie: { cookie: string }) => {
    const response = await console.call('session.show', {}, cookie);
    await response.text();
    return response.status;
  };

  it('a session ends after 30 minutes without use, and use postpones that', async () => {
    const cookie = await console.signIn(operatorRoles);
    for (const minutes of [20, 20]) {
      await stepTime(minutes * 60, console.database);
      expect(await statusWith(cookie)).toBe(200);
    }
    await stepTime(31 * 60, console.database);
    expect(await statusWith(cookie)).toBe(401);
  });

  it('a session ends after 12 hours, however much it is used', async () => {
    const cookie = await console.signIn(operatorRoles);
    const statuses: number[] = [];
    for (let quarter = 0; quarter < maxSessionHours * 4; quarter += 1) {
      statuses.push(await statusWith(cookie));
      await stepTime(15 * 60, console.database);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await statusWith(cookie)).toBe(401);
  });

  it('the time of the last use is written once a minute at most', async () => {
    const cookie = await console.signIn(operatorRoles, 'seen@example.com');
    const lastSeen = async () =>
      console.database.one(
        z.object({ at: z.date() }),
        sql`SELECT last_seen_at AS at FROM sessions WHERE account = 'seen@example.com'`,
      );
    const first = await lastSeen();
    await statusWith(cookie);
    expect(await lastSeen()).toEqual(first);
    await stepTime(61, console.database);
    await statusWith(cookie);
    expect(await lastSeen()).not.toEqual(first);
  });

  it('an account has 20 sessions at most, and the oldest ends for another', async () => {
    const cookies = [];
    for (let count = 0; count <= maxSessionsOfAccount; count += 1) {
      cookies.push(await console.signIn(operatorRoles, 'many@example.com'));
    }
    expect(await statusWith(cookies[0]!)).toBe(401);
    expect(await statusWith(cookies[1]!)).toBe(200);
    expect(await statusWith(cookies.at(-1)!)).toBe(200);
  });

  it('sign-out ends this session alone, and sign-out everywhere all sessions of the user', async () => {
    const [first, second, third] = [
      await console.signIn(operatorRoles, 'bob@example.com'),
      await console.signIn(operatorRoles, 'bob@example.com'),
      await console.signIn(operatorRoles, 'bob@example.com'),
    ];
    const other = await console.signIn(operatorRoles, 'eve@example.com');
    expect((await console.post('/api/sign-out', {}, first)).status).toBe(200);
    expect(await statusWith(first)).toBe(401);
    expect(await statusWith(second)).toBe(200);
    expect((await console.post('/api/sign-out-everywhere', {}, second)).status).toBe(200);
    expect(await Promise.all([second, third, other].map(statusWith))).toEqual([401, 401, 200]);
  });

  it('a sign-in begins a session under a new token and ends the one that the browser had', async () => {
    const planted = await console.signIn(operatorRoles, 'mallory@example.com');
    const token = new URL(await console.createLink()).hash.slice(1);
    const response = await console.post('/api/sign-in/link', { token }, planted);
    const own = cookieOf(response, 'registrar_console');
    expect(own).toBeDefined();
    expect(own).not.toBe(planted.cookie);
    expect(await statusWith(planted)).toBe(401);
    expect(await statusWith({ cookie: own! })).toBe(200);
  });

  it('the cookie is hidden from scripts and from requests that other sites cause', async () => {
    const token = new URL(await console.createLink()).hash.slice(1);
    const response = await console.post('/api/sign-in/link', { token });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^registrar_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('the database has no token of a session', async () => {
    const { cookie } = await console.signIn(operatorRoles, 'hashed@example.com');
    const { rows } = await console.database.one(
      z.object({ rows: z.string() }),
      sql`SELECT string_agg(s::text, ' ') AS rows FROM sessions AS s`,
    );
    expect(rows).toContain('hashed@example.com');
    const token = cookie.split('=')[1]!;
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });

  it('a session that has ended is deleted, and so is a link', async () => {
    await console.signIn(operatorRoles, 'old@example.com');
    await console.createLink();
    await stepTime(3_600, console.database);
    await console.app.get(Sessions).prune();
    const { count } = await console.database.one(
      z.object({ count: z.number() }),
      sql`SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM sign_in_links) AS count`,
    );
    expect(count).toBe(0);
  });
});

describe('the cookie of a session behind https', () => {
  it.each([
    ['https://console.example.com', '__Host-registrar_console', '/'],
    ['https://example.com/registrar/', '__Secure-registrar_console', '/registrar'],
  ])('the cookie at %s is called %s, and it is sent over https alone', async (url, name, path) => {
    const console = await startConsoleFixture({ environment: { CONSOLE_URL: url } });
    try {
      const token = new URL(await console.createLink()).hash.slice(1);
      const response = await console.post('/api/sign-in/link', { token });
      const [cookie] = response.headers.getSetCookie();
      expect(cookie).toMatch(new RegExp(`^${name}=[\\w-]{43}; Path=${path}; HttpOnly; Secure; `));
      const session = await console.call('session.show', {}, { cookie: cookieOf(response, name)! });
      expect(session.status).toBe(200);
    } finally {
      await console.stop();
    }
  });
});
