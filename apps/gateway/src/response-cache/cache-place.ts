import type { LRUCache } from 'lru-cache';
import type { CatalogVersions, VersionedRecords } from './catalog-versions.ts';

/** A value, and the versions of its records from before it was made; null until there is one. */
export interface CacheEntry<Value> {
  readonly versions: string | null;
  readonly value: Value | null;
  readonly bytes: number;
}

/** Seen once, not cached, because most requests that differ from earlier ones are not repeated. */
const seenOnce = { versions: null, value: null, bytes: 0 };

/** Where the value for equal requests of a realm is kept. */
export class CachePlace<Value> {
  #versions: string | null = null;

  constructor(
    private readonly key: string,
    private readonly records: readonly VersionedRecords[],
    private readonly entries: LRUCache<string, CacheEntry<Value>>,
    private readonly catalog: Pick<CatalogVersions, 'read'>,
  ) {}

  /** The value, if one is kept and nothing has changed since it was made. */
  async find(): Promise<Value | null> {
    const entry = this.entries.get(this.key);
    if (!entry) {
      this.entries.set(this.key, seenOnce);
      return null;
    }
    // On failure, fall through to the catalog.
    const versions = await this.catalog.read(this.records).catch(() => null);
    this.#versions = versions && versions.join(' ');
    return entry.versions === this.#versions ? entry.value : null;
  }

  /** Whether {@link keep} keeps a value: from the second equal request on. */
  get isKept(): boolean {
    return this.#versions !== null;
  }

  /** Keeps a value that was made after {@link find}. */
  keep(value: Value, bytes: number): void {
    if (this.#versions !== null) {
      this.entries.set(this.key, { versions: this.#versions, value, bytes });
    }
  }
}
