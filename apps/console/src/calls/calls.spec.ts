import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  foreignRealm,
  ownRealm,
  startConsoleFixture,
} from '../console.fixture.ts';
import {
  type ConsoleRoles,
  operatorRoles,
  reaches,
  type RealmRole,
  realmRole,
} from '../sessions/roles.ts';
import { calls } from './calls.ts';
import type { Call } from './define-call.ts';

const all = Object.entries(calls as unknown as Record<string, Call>);

/** The roles of the matrix, by name. */
const users: Readonly<Record<string, ConsoleRoles>> = {
  operator: operatorRoles,
  ...Object.fromEntries(
    realmRole.options.map((role) => [role, { operator: false, realms: { [ownRealm]: role } }]),
  ),
};

const isReached = ({ access }: Call, user: string, realm: string): boolean => {
  if (access.kind === 'session' || user === 'operator') return true;
  if (access.kind === 'installation') return false;
  return realm === ownRealm && reaches(user as RealmRole, access.role);
};

describe('the calls', () => {
  let console: ConsoleFixture;
  beforeAll(async () => {
    console = await startConsoleFixture();
  });
  afterAll(() => console.stop());

  it('names are sorted, of a feature and an act, and their files are named for the feature', () => {
    const names = Object.keys(calls);
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  });

  it('a call that changes something cannot be watched', () => {
    const both = all.filter(([, { changes, live }]) => changes && live !== undefined);
    expect(both.map(([name]) => name)).toEqual([]);
  });

  it('a list returns 200 items at most', () => {
    for (const [name, { changes, input }] of all) {
      if (changes || !('limit' in input.shape)) continue;
      const limit = z.object({ limit: input.shape['limit'] as z.ZodType });
      expect(limit.safeParse({ limit: 201 }).success, name).toBe(false);
    }
  });

  // An input that no call accepts: whoever reaches the call is told that it is malformed, and nothing happens.
  const malformed = { cursor: 7, limit: -1 };

  describe.each(Object.keys(users))('of the role %s', (user) => {
    it.each(all)('%s is refused unless the role reaches it', async (name, call) => {
      const cookie = await console.signIn(users[user]!, `${user}@example.com`);
      for (const realm of [ownRealm, foreignRealm, 7, '__proto__', undefined]) {
        const response = await console.call(name, { ...malformed, realm }, cookie);
        const { code } = (await response.json()) as { code?: string };
        const needsRealm = call.access.kind === 'realm' && typeof realm !== 'string';
        const reached = isReached(call, user, String(realm)) && !needsRealm;
        if (reached) expect([undefined, 'invalid', 'not-found', 'unavailable']).toContain(code);
        else expect([response.status, code]).toEqual([403, 'unauthenticated']);
      }
    });
  });

  it.each(all)('%s is refused without a session', async (name) => {
    for (const cookie of ['', 'registrar_console=', `registrar_console=${'a'.repeat(43)}`]) {
      const response = await console.call(name, { realm: ownRealm }, { cookie });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'signed-out' });
    }
  });

  it('a call carries the name of its user, and its reply is not kept', async () => {
    const cookie = await console.signIn(operatorRoles, 'grace@example.com');
    const response = await console.call('session.show', {}, cookie);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({
      name: 'grace@example.com',
      realms: [{ guid: 'own', name: 'Realm own', role: 'administrator' }, {}, {}],
    });
    expect(console.users.at(-1)).toBe('grace@example.com');
  });

  it('the session of a user lists the realms in which the user has a role, and no others', async () => {
    const cookie = await console.signIn({ operator: false, realms: { [ownRealm]: 'reader' } });
    const response = await console.call('session.show', {}, cookie);
    expect(await response.json()).toMatchObject({
      realms: [{ guid: 'own', role: 'reader' }],
      hasMoreRealms: false,
    });
  });

  it.each(['toString', 'constructor', '__proto__', 'session', 'a'.repeat(150)])(
    'an unknown call %s is not found',
    async (name) => {
      const response = await console.call(name, {}, await console.signIn(operatorRoles));
      expect(response.status).toBe(404);
    },
  );

  it.each([
    ['of another list', { cursor: 'MTA' }],
    ['of an app that does not exist', { cursor: 'elsewhere MTA' }],
    ['of an app, with the place of another list', { cursor: 'identity W10' }],
    ['of another app than the one that is listed', { cursor: 'identity MTA', context: 'crawler' }],
  ] as const)('parked-events.list refuses a cursor %s', async (_what, input) => {
    const cookie = await console.signIn(operatorRoles);
    const response = await console.call('parked-events.list', input, cookie);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid', message: 'malformed cursor' });
  });

  it('a failure has its code, its message and the id of the request', async () => {
    const cookie = await console.signIn(operatorRoles);
    const headers = { ...cookie, 'x-request-id': 'asked-1' };
    const response = await console.call('session.find-realms', { limit: 201 }, headers);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-request-id')).toBe('asked-1');
    expect(await response.json()).toEqual({
      code: 'invalid',
      message: 'malformed: limit',
      requestId: 'asked-1',
    });
  });
});
