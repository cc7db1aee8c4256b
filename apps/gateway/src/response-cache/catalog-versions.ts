import { randomUUID } from 'node:crypto';
import { BusClient } from '@registrar/bus';
import { type AccessScope, maxVersions, readVersions } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';

/** Whose versions are read: the courses of a provider application, or the templates of a realm. */
export interface VersionedRecords {
  readonly kind: 'courses' | 'templates';
  readonly ownerId: number;
}

/** What shows more provider applications than this is not kept. */
const maxApplications = 16;

/** The courses that a scope reaches; null if they are of too many provider applications to be kept. */
export const coursesOf = ({ applicationIds }: AccessScope): VersionedRecords[] | null =>
  applicationIds.length <= maxApplications
    ? applicationIds.map((ownerId) => ({ kind: 'courses', ownerId }))
    : null;

/**
 * How long a version is used, counted from the request to the catalog: milliseconds. No change
 * of the catalog is answered before all gateways have requested it again ({@link waitUntilVisible}).
 */
const versionLifetimeMs = 50;

/** Clocks of two machines measure a pause differently, by much less than this: milliseconds. */
const marginMs = 10;

/**
 * Waits, after a change of the catalog, until no gateway uses a version from before it. So the client
 * that gets the answer, and everybody it tells, reads the change through whichever gateway.
 */
export const waitUntilVisible = (): Promise<void> => clock.sleep(versionLifetimeMs + marginMs);

/** How many versions are known at a time. */
const maxKnown = 10_000;

/** After this time the records themselves are requested: milliseconds. */
const timeoutMs = 2_000;

/**
 * Asks the catalog for versions, each at most every {@link versionLifetimeMs}. So the cost of the
 * questions does not grow with the requests that they are asked for.
 */
@Injectable()
export class CatalogVersions {
  readonly #loader = new DataLoader<VersionedRecords, string, string>(
    (asked) => runInRequestContext(questionContext(), () => this.#ask(asked)),
    {
      maxBatchSize: maxVersions,
      cacheKeyFn: ({ kind, ownerId }) => `${kind} ${ownerId}`,
      // Its clock is read for each look-up: a version must not be used for longer.
      cacheMap: new LRUCache({ max: maxKnown, ttl: versionLifetimeMs, ttlResolution: 0 }),
    },
  );

  constructor(private readonly bus: BusClient) {}

  /**
   * Reads the versions of several owners' records, in their order.
   *
   * @throws {Failure} as a request to the catalog does
   */
  read(records: readonly VersionedRecords[]): Promise<string[]> {
    return Promise.all(records.map((each) => this.#loader.load(each)));
  }

  async #ask(asked: readonly VersionedRecords[]): Promise<string[]> {
    const ownersOf = (kind: VersionedRecords['kind']) =>
      asked.filter((each) => each.kind === kind).map(({ ownerId }) => ownerId);
    const { courses, templates } = await this.bus.request(readVersions, {
      applicationIds: ownersOf('courses'),
      realmIds: ownersOf('templates'),
    });
    const versions = { courses: courses.values(), templates: templates.values() };
    return asked.map(({ kind }) => versions[kind].next().value!);
  }
}

const questionContext = () => ({ requestId: randomUUID(), deadline: clock.now() + timeoutMs });
