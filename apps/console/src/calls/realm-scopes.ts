import { BusClient } from '@registrar/bus';
import { type AccessScope, findRealmScope } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { permissionsOf, type RealmRole } from '../sessions/roles.ts';

/** How long a scope is kept: so long a realm that was disabled, or a new provider application, is not noticed. */
const keptMs = 3_000;

/** Finds the scopes of realms, with the permissions of a role. */
@Injectable()
export class RealmScopes {
  readonly #scopes = new LRUCache<string, Promise<AccessScope>>({
    max: 500,
    ttl: keptMs,
    perf: { now: () => clock.monotonic() },
  });

  constructor(private readonly bus: BusClient) {}

  /** @throws {Failure} `not-found` for an unknown realm, `unauthenticated` for a disabled one */
  find(realm: string, role: RealmRole): Promise<AccessScope> {
    const permissions = [...permissionsOf(role)];
    const key = `${permissions.join()} ${realm}`;
    const kept = this.#scopes.get(key);
    if (kept) return kept;
    const found = this.bus.request(findRealmScope, { realmGuid: realm, permissions });
    this.#scopes.set(key, found);
    found.catch(() => this.#scopes.delete(key));
    return found;
  }
}
