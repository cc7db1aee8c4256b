import { createHash } from 'node:crypto';
import type { AccessScope } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { accessParameters } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { ResponseFormat } from '../responses/response-format.ts';
import { type CacheEntry, CachePlace } from './cache-place.ts';
import { CatalogVersions, type VersionedRecords } from './catalog-versions.ts';

/** How many realms have responses that are kept, and how many bytes each of them. */
const maxRealms = 64;
const maxBytesOfRealm = 512 * 1024;

/** The longest response that is kept: bytes. */
const maxBytes = 128 * 1024;

/** What an entry takes beside its text: bytes. */
const entryBytes = 512;

/**
 * How long a response is kept: milliseconds. A version can only come back when the database was
 * restored to an earlier state.
 */
const ttlMs = 60_000;

/** Responses that show more provider applications than this are not kept. */
const maxApplications = 16;

/** Parameters that do not change the response: `_` makes URLs differ (contract/parameters#general-parameters). */
const ignoredParameters: readonly string[] = [...accessParameters, '_'];

/** What a response depends on. */
export interface CacheableRequest {
  readonly operation: Operation;
  readonly scope: AccessScope;
  readonly path: Readonly<Record<string, string>>;
  readonly responseFormat: ResponseFormat;
  readonly given: RequestParameters;
}

/**
 * Keeps whole responses that show nothing but courses or templates. One is sent again only if the
 * catalog still has the version from before it was made. What a client reads is at most 50 ms old, and
 * shows all changes that were answered before it asked ({@link CatalogVersions}).
 */
@Injectable()
export class ResponseCache {
  readonly #realms = new LRUCache<number, LRUCache<string, CacheEntry>>({ max: maxRealms });

  constructor(private readonly versions: CatalogVersions) {}

  /** The place of the response to a request; null if responses to such requests are not kept. */
  placeFor(request: CacheableRequest): CachePlace | null {
    const records = recordsOf(request);
    if (!records) return null;
    const { realmId } = request.scope;
    const entries = this.#realms.get(realmId) ?? newEntries();
    this.#realms.set(realmId, entries);
    return new CachePlace(keyOf(request), records, entries, this.versions);
  }
}

const newEntries = () =>
  new LRUCache<string, CacheEntry>({
    maxSize: maxBytesOfRealm,
    maxEntrySize: maxBytes,
    ttl: ttlMs,
    sizeCalculation: (entry) =>
      entryBytes + (entry === 'first' ? 0 : Buffer.byteLength(entry.response.body)),
  });

/** The records that a response shows; null if it may show others too. */
function recordsOf({ operation, scope }: CacheableRequest): VersionedRecords[] | null {
  // A user-bound key also sees registrations.
  if (scope.user !== null) return null;
  switch (operation.showsOnly) {
    case 'courses':
      return scope.applicationIds.length <= maxApplications
        ? scope.applicationIds.map((ownerId) => ({ kind: 'courses', ownerId }))
        : null;
    case 'templates':
      return [{ kind: 'templates', ownerId: scope.realmId }];
    case undefined:
      return null;
  }
}

/** Holds no secrets. */
function keyOf({ operation, scope, path, responseFormat, given }: CacheableRequest): string {
  const parameters = [...given].filter(([name]) => !ignoredParameters.includes(name));
  const { format, callback } = responseFormat;
  const parts = [operation.name, scope.applicationIds, path, format, callback, parameters];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
