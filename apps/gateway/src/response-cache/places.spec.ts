import { describe, expect, it, vi } from 'vitest';
import type { BusClient } from '@registrar/bus';
import { type CourseRecord, emailAddress, type Page } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { sampleCourse, scope } from '../gateway.fixture.ts';
import type { Operation } from '../operations/operation.ts';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import {
  type CatalogVersions,
  type VersionedRecords,
  waitUntilVisible,
} from './catalog-versions.ts';
import { CourseLists } from './course-lists.ts';
import { type CacheableRequest, ResponseCache } from './response-cache.ts';

/** Versions of records that do not change, and the records that they were asked for. */
const startVersions = () => {
  const asked: (readonly VersionedRecords[])[] = [];
  const read = async (records: readonly VersionedRecords[]) => {
    asked.push(records);
    return records.map(() => '1');
  };
  return { asked, versions: { read } as unknown as CatalogVersions };
};
const user = { id: 3, email: emailAddress.parse('learner@example.com') };

describe('the place of a response', () => {
  const given = (query: string) => {
    const parameters = new ParameterCollection();
    for (const [name, value] of new URLSearchParams(query)) parameters.add(name, value);
    return parameters;
  };
  const operation = (name: string, showsOnly?: 'courses' | 'templates') =>
    ({ name, showsOnly }) as Operation;
  const request: CacheableRequest = {
    operation: operation('course show', 'courses'),
    scope: scope({ realmId: 1, applicationIds: [1, 2] }),
    path: { id: 'knots' },
    responseFormat: { format: 'json', callback: null, isScript: false, deprecated: false },
    given: given('api_key=key&fields=title'),
  };
  const { scope: _, responseFormat } = request;

  /** Keeps the response to a request, and returns the cache. */
  const keep = async (kept: CacheableRequest) => {
    const { asked, versions } = startVersions();
    const cache = new ResponseCache(versions);
    await cache.find(kept);
    const place = await cache.find(kept);
    place?.keep({ body: 'kept', rows: 1 });
    return { asked, cache };
  };

  it('the place of a response belongs to the operation, realm, applications, path, format and parameters of its request', async () => {
    const { cache } = await keep(request);
    const found = async (parts: Partial<CacheableRequest>) =>
      (await cache.find({ ...request, ...parts }))?.value;
    expect(await found({})).toEqual({ body: 'kept', rows: 1 });
    const others: Partial<CacheableRequest>[] = [
      { operation: operation('course index', 'courses') },
      { scope: scope({ realmId: 2, applicationIds: [1, 2] }) },
      { scope: scope({ realmId: 1, applicationIds: [1] }) },
      { scope: scope({ realmId: 1, applicationIds: [1, 3] }) },
      { path: { id: 'ropes' } },
      { path: {} },
      { responseFormat: { ...responseFormat, format: 'xml' } },
      { responseFormat: { ...responseFormat, callback: 'show' } },
      { given: given('api_key=key') },
      { given: given('api_key=key&fields=size') },
      { given: given('api_key=key&fields=title&fields=size') },
      { given: given('api_key=key&fields=title&title=Knots') },
    ];
    for (const parts of others) {
      // The second time, it would have been found.
      await found(parts);
      expect(await found(parts)).toBeNull();
    }
  });

  it('the place of a response is the same for all credentials of the same reach, whatever _ is', async () => {
    const { cache } = await keep(request);
    for (const access of [
      'accessToken=other',
      'realm_guid=realm&realm_secret_key=secret',
      'sc_app_id=app-1&sc_secret_key=secret',
      '_=1',
    ]) {
      const place = await cache.find({ ...request, given: given(`${access}&fields=title`) });
      expect(place?.value?.body).toBe('kept');
    }
  });

  it('the place of a response depends on the courses of the applications, or on the templates of the realm', async () => {
    const { asked } = await keep(request);
    expect(asked).toEqual([
      [
        { kind: 'courses', ownerId: 1 },
        { kind: 'courses', ownerId: 2 },
      ],
    ]);
    const ofTemplates = operation('template index', 'templates');
    const templates = await keep({ ...request, operation: ofTemplates });
    expect(templates.asked).toEqual([[{ kind: 'templates', ownerId: 1 }]]);
  });

  it.each<[string, Partial<CacheableRequest>]>([
    ['other records', { operation: operation('registration index') }],
    ['the registrations of a user', { scope: scope({ user }) }],
    ['a page', { given: given('limit=1') }],
    ['the next page', { given: given('cursor=MQ') }],
    ['the number of records', { given: given('count=t') }],
    [
      'more than 16 applications',
      { scope: scope({ applicationIds: Array.from({ length: 17 }, (_, id) => id + 1) }) },
    ],
  ])('the place of a response that shows %s does not exist', async (_, parts) => {
    const { asked, versions } = startVersions();
    expect(await new ResponseCache(versions).find({ ...request, ...parts })).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('a list of courses', () => {
  /** Reads lists of a catalog whose every list has these pages, and counts those that it was asked for. */
  const startLists = (...pages: Page<CourseRecord>[]) => {
    const { versions } = startVersions();
    const lists = new CourseLists(versions);
    let requests = 0;
    const bus = {
      async *pages() {
        requests += 1;
        yield* pages;
      },
    } as unknown as BusClient;
    const read = async (
      parts: Parameters<typeof scope>[0] = {},
      filters: { title?: string } = {},
      pageSize?: number,
    ) => {
      const request = { scope: scope({ user, ...parts }), filters };
      return Array.fromAsync(lists.pages(bus, request, pageSize));
    };
    return { read, requests: () => requests };
  };
  const only = { items: [sampleCourse], next: null };

  it('a list of courses is kept for one realm, one set of applications, one set of filters and one size of pages', async () => {
    const { read, requests } = startLists(only);
    for (let request = 1; request <= 3; request += 1) expect(await read()).toEqual([only]);
    expect(requests()).toBe(2);
    const others: Parameters<typeof read>[] = [
      [{ realmId: 2 }],
      [{ applicationIds: [2] }],
      [{ applicationIds: [1, 2] }],
      [{}, { title: 'Knots' }],
      [{}, {}, 10],
    ];
    for (const other of others) {
      const before = requests();
      for (let request = 1; request <= 3; request += 1)
        expect(await read(...other)).toEqual([only]);
      expect(requests()).toBe(before + 2);
    }
  });

  it('a list of courses that is kept has a copy of its items, which a response may change', async () => {
    const { read } = startLists(only);
    for (let request = 1; request <= 2; request += 1) await read();
    const [page] = await read();
    page?.items.pop();
    expect(await read()).toEqual([only]);
  });

  it.each([
    [[{ ...only, next: '2' }, only]],
    [
      [
        { ...only, next: '2' },
        { ...only, next: '3' },
      ],
    ],
  ])('a list of courses is not kept if it has another page: %j', async (pages) => {
    const { read, requests } = startLists(...pages);
    for (let request = 1; request <= 3; request += 1) expect(await read()).toEqual(pages);
    expect(requests()).toBe(3);
  });
});

describe('a change of the catalog', () => {
  it('a change of the catalog is answered 60 ms later, when no gateway uses a version from before it', async () => {
    const sleep = vi.spyOn(clock, 'sleep').mockResolvedValue();
    await waitUntilVisible();
    expect(sleep).toHaveBeenCalledExactlyOnceWith(60);
    vi.restoreAllMocks();
  });
});
