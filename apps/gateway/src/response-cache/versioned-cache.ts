import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
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

/** A value, and the versions of its records from before it was made; null until there is one. */
interface Entry<Value> {
  readonly versions: string | null;
  readonly value: Value | null;
}
type Entries<Value> = LRUCache<string, Entry<Value>>;

/** Seen once, not cached, because most requests that differ from earlier ones are not repeated. */
const seenOnce = { versions: null, value: null };

/** What is kept for equal requests of a realm. */
export interface CachePlace<Value> {
  /** The value, if one is kept and nothing has changed since it was made. */
  readonly value: Value | null;
  /** Keeps a value that was made after this place was found; from the second equal request on. */
  readonly keep: (value: Value) => void;
}

/**
 * Keeps values that are made of nothing but courses or templates, of one realm each. One is used again only
 * if the catalog still has the version from before it was made. So it is at most 50 ms old, and has all changes
 * that were answered before ({@link CatalogVersions}).
 */
export class VersionedCache<Value> {
  readonly #realms: LRUCache<number, Entries<Value>>;

  /** @param bytesOf the size of a value */
  constructor(
    private readonly versions: Pick<CatalogVersions, 'read'>,
    bytesOf: (value: Value) => number,
  ) {
    this.#realms = new LRUCache<number, Entries<Value>>({
      max: maxRealms,
      memoMethod: () =>
        new LRUCache<string, Entry<Value>>({
          maxSize: maxBytesOfRealm,
          maxEntrySize: maxBytes,
          ttl: ttlMs,
          sizeCalculation: ({ value }) => entryBytes + (value === null ? 0 : bytesOf(value)),
        }),
    });
  }

  /**
   * Finds the place of a value of a realm.
   *
   * @param parts what the value depends on beside the records, as JSON; the cache holds its hash alone
   */
  async find(
    realmId: number,
    parts: readonly unknown[],
    records: readonly VersionedRecords[],
  ): Promise<CachePlace<Value>> {
    const entries = this.#realms.memo(realmId);
    const key = hash('sha256', JSON.stringify(parts), 'base64');
    const entry = entries.get(key);
    if (!entry) entries.set(key, seenOnce);
    // On failure, fall through to the catalog.
    const read = entry && (await this.versions.read(records).catch(() => undefined));
    if (!read) return { value: null, keep: () => undefined };
    const versions = read.join(' ');
    return {
      value: entry.versions === versions ? entry.value : null,
      keep: (value) => void entries.set(key, { versions, value }),
    };
  }
}
