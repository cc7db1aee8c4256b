import etag from 'etag';
import type { LRUCache } from 'lru-cache';
import type { CatalogVersions, VersionedRecords } from './catalog-versions.ts';
import type { WholeResponse } from './whole-response.ts';

/** A response, and the versions of its records from before it was made. */
interface KeptResponse {
  readonly versions: string;
  readonly response: WholeResponse;
}

/** `first`: seen once, not cached, because most requests that differ from earlier ones are not repeated. */
export type CacheEntry = 'first' | KeptResponse;

/** Where the response to equal requests of a realm is kept. */
export class CachePlace {
  #versions: string | null = null;

  constructor(
    private readonly key: string,
    private readonly records: readonly VersionedRecords[],
    private readonly entries: LRUCache<string, CacheEntry>,
    private readonly catalog: CatalogVersions,
  ) {}

  /** The response, if one is kept and nothing has changed since it was made. */
  async find(): Promise<WholeResponse | null> {
    const entry = this.entries.get(this.key);
    if (!entry) {
      this.entries.set(this.key, 'first');
      return null;
    }
    // On failure, fall through to the catalog.
    const versions = await this.catalog.read(this.records).catch(() => null);
    this.#versions = versions && versions.join(' ');
    return entry !== 'first' && entry.versions === this.#versions ? entry.response : null;
  }

  /** Keeps a response that was made after {@link find}, and adds its entity tag. */
  keep(body: string, rows: number): WholeResponse {
    const response = { body, rows, etag: etag(body) };
    if (this.#versions !== null) {
      this.entries.set(this.key, { versions: this.#versions, response });
    }
    return response;
  }
}
