import { createHash } from 'node:crypto';
import { BusClient, BusConnection } from '#libs/bus';
import { type AccessScope, type Credentials, Failure, resolveAccess } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, Registry } from 'prom-client';
import type { PresentedAccess } from './access-mode.ts';

/** How long an answer of identity is used again: milliseconds; and how many are kept. */
const freshness = 5_000;
const kept = 10_000;

/** What a request reaches, and the provider application that it names, if it does. */
export interface GrantedAccess {
  readonly scope: AccessScope;
  readonly applicationId: number | null;
}

interface Resolution {
  readonly asked: Promise<AccessScope>;
  /** Known once identity has answered. */
  realmId?: number;
}

/** Asks identity who is calling, and remembers the answer for a few seconds. */
@Injectable()
export class Access {
  /** By the hash of what was presented, so that no secret stays in memory for longer than asked. */
  readonly #resolutions = new LRUCache<string, Resolution>({ max: kept, ttl: freshness });

  readonly #lookups: Counter<'outcome'>;

  constructor(
    private readonly bus: BusClient,
    connection: BusConnection,
    registry: Registry,
  ) {
    this.#lookups = new Counter({
      name: 'registrar_access_lookups_total',
      help: 'Credentials looked up: remembered (hit), or asked of identity (miss).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    connection.onReconnect(() => this.#resolutions.clear());
  }

  /** @throws {Failure} `unauthenticated`; its message says why and goes to the log alone */
  async grant({ credentials, beside }: PresentedAccess): Promise<GrantedAccess> {
    const scope = await this.#resolve(credentials);
    if (!beside) {
      const [only] = credentials.mode === 'provider' ? scope.applicationIds : [];
      return { scope, applicationId: only ?? null };
    }
    const named = await this.#resolve(beside);
    const [applicationId] = named.applicationIds;
    if (applicationId === undefined || !scope.applicationIds.includes(applicationId)) {
      throw new Failure('unauthenticated', 'the provider application named is out of reach');
    }
    return { scope, applicationId };
  }

  /** Drops what is known of a realm, and what is being asked: it may be older than the change. */
  forget(realmId: number): void {
    for (const [key, resolution] of this.#resolutions.entries()) {
      if (resolution.realmId === undefined || resolution.realmId === realmId) {
        this.#resolutions.delete(key);
      }
    }
  }

  async #resolve(credentials: Credentials): Promise<AccessScope> {
    const key = createHash('sha256').update(JSON.stringify(credentials)).digest('base64');
    const known = this.#resolutions.get(key);
    this.#lookups.inc({ outcome: known ? 'hit' : 'miss' });
    const scope = await (known ?? this.#ask(key, credentials)).asked;
    if (scope.expiresAt !== null && Date.parse(scope.expiresAt) <= Date.now()) {
      throw new Failure('unauthenticated', 'the api key has expired');
    }
    return scope;
  }

  #ask(key: string, credentials: Credentials): Resolution {
    const resolution: Resolution = { asked: this.bus.request(resolveAccess, { credentials }) };
    this.#resolutions.set(key, resolution);
    resolution.asked.then(
      ({ realmId }) => (resolution.realmId = realmId),
      () => {
        if (this.#resolutions.peek(key) === resolution) this.#resolutions.delete(key);
      },
    );
    return resolution;
  }
}
