import { afterEach, describe, expect, it, vi } from 'vitest';
import type { BusClient } from '@registrar/bus';
import { type AccessScope, type Credentials, emailAddress, Failure } from '@registrar/contracts';
import { clock, currentRequestContext, runInRequestContext } from '@registrar/platform';
import { Registry } from 'prom-client';
import type { GuessingGuard } from '../admission/guessing-guard.ts';
import type { Quota, RealmRates } from '../admission/realm-rates.ts';
import { scope } from '../gateway.fixture.ts';
import { AccessResolver } from './access-resolver.ts';

const realm: Credentials = { mode: 'realm', guid: 'realm-1', secretKey: 'realm-secret' };
const pair: Credentials = { mode: 'provider', appId: 'app-1', secretKey: 'app-secret' };
const scopeOf = (parts: Parameters<typeof scope>[0]) => scope({ applicationIds: [1, 2], ...parts });

/** An AccessResolver, and the identity that it asks. */
const startAccess = () => {
  const scopes = new Map<Credentials['mode'], AccessScope | Failure>([
    ['realm', scopeOf({})],
    ['provider', scopeOf({ applicationIds: [2] })],
  ]);
  const requests: {
    mode: Credentials['mode'];
    context: ReturnType<typeof currentRequestContext>;
  }[] = [];
  /** What identity waits for before it replies, and the loss and return of its connection to RabbitMQ. */
  const identity = { beforeReply: async () => {}, reconnect: () => {} };
  const bus = {
    request: async (_: unknown, { credentials }: { credentials: Credentials }) => {
      requests.push({ mode: credentials.mode, context: currentRequestContext() });
      const reply = scopes.get(credentials.mode);
      await identity.beforeReply();
      if (!reply) throw new Failure('unauthenticated', 'the secret is wrong');
      if (reply instanceof Failure) throw reply;
      return reply;
    },
  };
  const guessing = { countFailure: (_: unknown, __: string, error: unknown) => error };
  const quotas: Quota[] = [];
  const registry = new Registry();
  const connection = {
    onReconnect: (listener: () => void) => {
      identity.reconnect = listener;
    },
  };
  const access = new AccessResolver(
    bus as unknown as BusClient,
    guessing as unknown as GuessingGuard,
    { quotasOf: () => quotas } as unknown as RealmRates,
    connection,
    registry,
  );
  const authorize = (credentials: Credentials = realm) =>
    access.authorize({ credentials, providerPair: null, isTwofold: false });
  const lookups = async () => {
    const metric = await registry.getSingleMetric('registrar_access_lookups_total')?.get();
    return metric?.values.map(({ value, labels }) => `${value} ${labels['outcome']}`);
  };
  return { access, scopes, requests, identity, authorize, lookups, quotas };
};

/** Resolves with the parts that a list under way passes on; `before` is called before each of them. */
const read = async (
  access: AccessResolver,
  before: (part: number) => unknown,
): Promise<readonly number[]> => {
  const presented = { credentials: realm, providerPair: null, isTwofold: false };
  const passed: number[] = [];
  const parts = async function* () {
    for (const part of [1, 2, 3]) {
      await before(part);
      yield part;
    }
  };
  for await (const part of access.whileValid(presented, parts())) passed.push(part);
  return passed;
};

describe('AccessResolver', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('names the application of a provider pair, and none of other credentials', async () => {
    const { authorize, scopes } = startAccess();
    expect(await authorize(pair)).toMatchObject({
      scope: scopes.get('provider'),
      applicationId: 2,
    });
    expect(await authorize()).toMatchObject({ scope: scopes.get('realm'), applicationId: null });
    scopes.set('provider', scopeOf({ applicationIds: [] }));
    const other = { ...pair, appId: 'app-2' };
    expect((await authorize(other)).applicationId).toBeNull();
  });

  it('names the application of a pair beside other credentials that reach it', async () => {
    const { access, scopes } = startAccess();
    const presented = { credentials: realm, providerPair: pair, isTwofold: false };
    const granted = await access.authorize(presented);
    expect(granted).toMatchObject({ scope: scopes.get('realm'), applicationId: 2 });
  });

  it.each([[[3]], [[]]])(
    'refuses a pair of the applications %j, which the other credentials do not reach',
    async (applicationIds) => {
      const { access, scopes } = startAccess();
      scopes.set('provider', scopeOf({ applicationIds }));
      const presented = { credentials: realm, providerPair: pair, isTwofold: false };
      await expect(access.authorize(presented)).rejects.toThrow(
        expect.objectContaining({
          code: 'unauthenticated',
          message: 'the provider application is out of reach',
        }),
      );
    },
  );

  it('names in the log whose requests they are', async () => {
    const { authorize, scopes } = startAccess();
    const user = { id: 5, email: emailAddress.parse('user@example.com') };
    const accountOf = async (token: string, parts: Parameters<typeof scope>[0]) => {
      scopes.set('api_key', scopeOf(parts));
      return (await authorize({ mode: 'api_key', token })).account;
    };
    scopes.set('realm', scopeOf({ mode: 'realm' }));
    expect((await authorize()).account).toBe('realm 1');
    expect(await accountOf('key', { apiKeyId: 12 })).toBe('key 12 of realm 1');
    expect(await accountOf('user', { apiKeyId: 13, user })).toBe('user 5 of realm 1');
  });

  it('grants what holds the slots and the limits of the realm', async () => {
    const { authorize, scopes, quotas } = startAccess();
    scopes.set('realm', scopeOf({ mode: 'realm' }));
    const granted = await authorize();
    expect(granted.holder).toEqual({ realmId: 1, key: 'realm 1', keyWeight: 1 });
    expect(granted.quotas).toBe(quotas);
  });

  it('accepts two access modes in a realm that serves the clients of Bright alone', async () => {
    const { access, scopes } = startAccess();
    const presented = { credentials: realm, providerPair: null, isTwofold: true };
    await expect(access.authorize(presented)).rejects.toMatchObject({ status: 501 });
    access.forgetRealm(1);
    scopes.set('realm', scopeOf({ compatibility: { clients: 'bright', userLicenses: false } }));
    expect(await access.authorize(presented)).toMatchObject({ scope: scopes.get('realm') });
  });

  it('caches a scope for five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const { authorize, requests } = startAccess();
    await authorize();
    // The cache reads the time once in a millisecond.
    const passTo = (time: number) => {
      now.mockReturnValue(time);
      vi.advanceTimersByTime(1);
    };
    passTo(6_000);
    await authorize();
    expect(requests).toHaveLength(1);
    passTo(6_001);
    await authorize();
    expect(requests).toHaveLength(2);
  });

  it('asks identity once for requests at the same time and after it, and counts hits and misses', async () => {
    const { authorize, requests, lookups } = startAccess();
    await Promise.all([authorize(), authorize()]);
    await authorize();
    expect(requests).toHaveLength(1);
    expect(await lookups()).toEqual(['1 miss', '2 hit']);
  });

  it('asks identity for each of several credentials', async () => {
    const { authorize, requests } = startAccess();
    for (const credentials of [realm, { ...realm, secretKey: 'other' }, pair]) {
      await authorize(credentials);
    }
    expect(requests.map(({ mode }) => mode)).toEqual(['realm', 'realm', 'provider']);
  });

  it('asks identity again after a refusal, and after the connection to RabbitMQ was lost', async () => {
    const { authorize, requests, scopes, identity } = startAccess();
    scopes.set('realm', new Failure('unauthenticated', 'the secret is wrong'));
    await expect(authorize()).rejects.toThrow('the secret is wrong');
    scopes.set('realm', scopeOf({}));
    await authorize();
    identity.reconnect();
    await authorize();
    expect(requests).toHaveLength(3);
  });

  it('keeps the scope that was looked up after a change, when an older lookup is refused', async () => {
    const { access, authorize, requests, scopes, identity } = startAccess();
    const refused = Promise.withResolvers<void>();
    scopes.set('realm', new Failure('unauthenticated', 'the secret is wrong'));
    identity.beforeReply = () => refused.promise;
    const older = authorize();
    access.forgetRealm(1);
    scopes.set('realm', scopeOf({}));
    identity.beforeReply = async () => {};
    await authorize();
    refused.resolve();
    await expect(older).rejects.toThrow('the secret is wrong');
    await authorize();
    expect(requests).toHaveLength(2);
  });

  it('drops the scopes of a realm that changed, and keeps those of others', async () => {
    const { access, authorize, requests, scopes } = startAccess();
    scopes.set('provider', scopeOf({ realmId: 2 }));
    await authorize();
    await authorize(pair);
    access.forgetRealm(2);
    await authorize();
    await authorize(pair);
    expect(requests.map(({ mode }) => mode)).toEqual(['realm', 'provider', 'provider']);
  });

  it('refuses a cached scope from the millisecond in which it expires', async () => {
    const { authorize, scopes } = startAccess();
    const expiresAt = new Date(clock.now() + 60_000);
    scopes.set('realm', scopeOf({ expiresAt: expiresAt.toISOString() }));
    await authorize();
    vi.spyOn(clock, 'now').mockReturnValue(expiresAt.getTime() - 1);
    await authorize();
    vi.spyOn(clock, 'now').mockReturnValue(expiresAt.getTime());
    await expect(authorize()).rejects.toThrow('the access has expired');
  });

  describe('while a list is under way', () => {
    it('looks the access up again after each part', async () => {
      const { access, requests } = startAccess();
      expect(await read(access, (part) => part > 1 && access.forgetRealm(1))).toEqual([1, 2, 3]);
      expect(requests).toHaveLength(3);
    });

    it('breaks it off when the access expires, though its scope is cached', async () => {
      const { access, scopes } = startAccess();
      const expiresAt = new Date(clock.now() + 60_000);
      scopes.set('realm', scopeOf({ expiresAt: expiresAt.toISOString() }));
      const expire = (part: number) => {
        if (part === 2) vi.spyOn(clock, 'now').mockReturnValue(expiresAt.getTime());
      };
      await expect(read(access, expire)).rejects.toThrow('the access has expired');
    });

    it('breaks it off when the access was deleted', async () => {
      const { access, scopes } = startAccess();
      const remove = (part: number) => {
        if (part !== 2) return;
        scopes.delete('realm');
        access.forgetRealm(1);
      };
      await expect(read(access, remove)).rejects.toThrow('the secret is wrong');
    });

    it('goes on while identity is unavailable', async () => {
      const { access, scopes } = startAccess();
      scopes.set('realm', new Failure('unavailable', 'identity is unavailable'));
      expect(await read(access, () => undefined)).toEqual([1, 2, 3]);
    });

    it('waits for identity for five seconds, and no longer than for the deadline of its request', async () => {
      const { access, requests } = startAccess();
      vi.spyOn(clock, 'now').mockReturnValue(1_000);
      const readBefore = (deadline: number) =>
        runInRequestContext({ requestId: 'request-1', deadline }, () =>
          read(access, () => access.forgetRealm(1)),
        );
      await readBefore(60_000);
      await readBefore(3_000);
      const deadlines = requests.map(({ context }) => [context?.requestId, context?.deadline]);
      expect(new Set(deadlines.map(String))).toEqual(new Set(['request-1,6000', 'request-1,3000']));
      await read(access, () => access.forgetRealm(1));
      expect(requests.at(-1)?.context?.deadline).toBe(6_000);
    });
  });
});
