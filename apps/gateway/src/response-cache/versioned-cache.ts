import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type CacheEntry, CachePlace } from './cache-place.ts';
import type { CatalogVersions, VersionedRecords } from './catalog-versions.ts';

/** How many realms have values that are kept, and how many bytes each of them. */
const maxRealms = 64;
const maxBytesOfRealm = 512 * 1024;

/** The largest value that is kept: bytes. */
const maxBytes = 128 * 1024;

/** What an entry takes beside its value: bytes. */
const entryBytes = 512;

/**
 * How long a value is kept: milliseconds. A version can only come back when the database was
 * restored to an earlier state.
 */
const ttlMs = 60_000;

/**
 * Keeps values that are made of nothing but courses or templates, of one realm each. One is used again only
 * if the catalog still has the version from before it was made. So it is at most 50 ms old, and has all changes
 * that were answered before ({@link CatalogVersions}).
 */
export class VersionedCache<Value> {
  readonly #realms = new LRUCache<number, LRUCache<string, CacheEntry<Value>>>({ max: maxRealms });

  constructor(private readonly versions: Pick<CatalogVersions, 'read'>) {}

  /**
   * The place of a value of a realm.
   *
   * @param parts what the value depends on beside the records, as JSON; the cache holds its hash alone
   */
  placeFor(
    realmId: number,
    parts: readonly unknown[],
    records: readonly VersionedRecords[],
  ): CachePlace<Value> {
    const entries = this.#realms.get(realmId) ?? newEntries<Value>();
    this.#realms.set(realmId, entries);
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
    return new CachePlace(key, records, entries, this.versions);
  }
}

const newEntries = <Value>() =>
  new LRUCache<string, CacheEntry<Value>>({
    maxSize: maxBytesOfRealm,
    maxEntrySize: maxBytes,
    ttl: ttlMs,
    sizeCalculation: ({ bytes }) => entryBytes + bytes,
  });
