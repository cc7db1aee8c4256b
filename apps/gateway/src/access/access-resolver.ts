import { hash } from 'node:crypto';
import { BusClient, BusConnection } from '@registrar/bus';
import { type AccessScope, type Credentials, Failure, resolveAccess } from '@registrar/contracts';
import {
  accountOf,
  clock,
  currentRequestContext,
  type Holder,
  holderOf,
  runInRequestContext,
} from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Registry } from 'prom-client';
import type { PresentedAccess } from './access-mode.ts';
import { requireTwoModes } from '../compatibility/bright.ts';
import { GuessingGuard } from '../admission/guessing-guard.ts';
import { type Quota, RealmRates } from '../admission/realm-rates.ts';

/** How long a scope from identity is cached, and how many scopes are. */
const cacheTtlMs = 5_000;
const maxCachedScopes = 10_000;

/** How long a list or an upload under way waits for identity, before it goes on. */
const validityTimeoutMs = 5_000;

/** What credentials reach, and what follows from that for each of their requests. */
export interface Access {
  readonly scope: AccessScope;
  /** Who takes turns with others, and holds slots. */
  readonly holder: Holder & { readonly keyWeight: number };
  /** Whose requests they are, in the log. */
  readonly account: string;
  /** The limits of the requests per second; empty if there is none. */
  readonly quotas: readonly Quota[];
}

/** The access of a request, and the provider application that its credentials name, if any. */
export interface GrantedAccess extends Access {
  readonly applicationId: number | null;
}

interface CachedAccess {
  readonly access: Promise<Access>;
  /** Undefined until identity has replied. */
  resolved?: Access;
}

const cacheKey = (credentials: Credentials) =>
  hash('sha256', JSON.stringify(credentials), 'base64');

const hasExpired = ({ expiresAt }: AccessScope): boolean => {
  // Stryker disable next-line ConditionalExpression: null has no time, which is never past
  if (expiresAt === null) return false;
  return Date.parse(expiresAt) <= clock.now();
};

function nameOf(scope: AccessScope): string {
  const [realm, key] = [accountOf.realm(scope), accountOf.key(scope)];
  return key === null || scope.user ? (key ?? realm) : `${key} of ${realm}`;
}

/** Resolves credentials to what they reach by asking identity, with a cache of a few seconds. */
@Injectable()
export class AccessResolver {
  /** By the hash of the credentials, so that the cache holds no secrets. */
  readonly #cache = new LRUCache<string, CachedAccess>({ max: maxCachedScopes, ttl: cacheTtlMs });

  readonly #lookups: Counter<'outcome'>;

  constructor(
    private readonly bus: BusClient,
    private readonly guessing: GuessingGuard,
    private readonly rates: RealmRates,
    connection: BusConnection,
    registry: Registry,
  ) {
    this.#lookups = new Counter({
      name: 'registrar_access_lookups_total',
      help: 'Lookups of credentials: answered from the cache (hit) or by identity (miss).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    connection.onReconnect(() => this.#cache.clear());
  }

  /**
   * @throws {Failure} `unauthenticated`; its message states the cause and is only logged
   * @throws {GatewayError} 501 for two access modes in a realm that does not accept them
   */
  async authorize(presented: PresentedAccess): Promise<GrantedAccess> {
    const { credentials, providerPair } = presented;
    const access = await this.#resolve(credentials);
    const { scope } = access;
    if (presented.isTwofold) requireTwoModes(scope);
    if (!providerPair) {
      const [only] = credentials.mode === 'provider' ? scope.applicationIds : [];
      return { ...access, applicationId: only ?? null };
    }
    const { scope: named } = await this.#resolve(providerPair);
    const applicationId = named.applicationIds.find((id) => scope.applicationIds.includes(id));
    if (applicationId === undefined) {
      throw new Failure('unauthenticated', 'the provider application is out of reach');
    }
    return { ...access, applicationId };
  }

  /** Passes on the pieces of an upload as long as the access is valid ({@link requireValid}). */
  async *whileValid<Piece>(
    presented: PresentedAccess,
    pieces: AsyncIterable<Piece>,
  ): AsyncIterable<Piece> {
    for await (const piece of pieces) {
      yield piece;
      await this.requireValid(presented);
    }
  }

  /**
   * Looks up the access of a list or an upload again, in the cache or by identity, before the next page or
   * piece is read. While identity cannot be reached, the access stays as it was.
   *
   * @throws {Failure} `unauthenticated`
   */
  async requireValid({ credentials }: PresentedAccess): Promise<void> {
    // Stryker disable next-line StringLiteral: lists and uploads have the context of their request
    const context = { requestId: '', ...currentRequestContext() };
    const deadline = Math.min(context.deadline ?? Infinity, clock.now() + validityTimeoutMs);
    try {
      await runInRequestContext({ ...context, deadline }, () => this.#resolve(credentials));
    } catch (error) {
      if (Failure.from(error).code === 'unauthenticated') throw error;
    }
  }

  /** Drops a realm's scopes, and the lookups under way: their replies may predate the change. */
  forgetRealm(realmId: number): void {
    for (const [key, cached] of this.#cache.entries()) {
      const { resolved } = cached;
      if (!resolved || resolved.scope.realmId === realmId) this.#cache.delete(key);
    }
  }

  async #resolve(credentials: Credentials): Promise<Access> {
    const key = cacheKey(credentials);
    const cached = this.#cache.get(key);
    this.#lookups.inc({ outcome: cached ? 'hit' : 'miss' });
    let access: Access;
    try {
      access = await (cached ?? this.#request(key, credentials)).access;
    } catch (error) {
      throw this.guessing.countFailure(credentials, key, error);
    }
    if (hasExpired(access.scope)) throw new Failure('unauthenticated', 'the access has expired');
    return access;
  }

  #request(key: string, credentials: Credentials): CachedAccess {
    const cached: CachedAccess = { access: this.#read(credentials) };
    this.#cache.set(key, cached);
    cached.access.then(
      (resolved) => (cached.resolved = resolved),
      () => {
        if (this.#cache.peek(key) === cached) this.#cache.delete(key);
      },
    );
    return cached;
  }

  async #read(credentials: Credentials): Promise<Access> {
    const scope = await this.bus.request(resolveAccess, { credentials });
    const [holder, account] = [holderOf(scope), nameOf(scope)];
    return { scope, holder, account, quotas: this.rates.quotasOf(scope) };
  }
}
