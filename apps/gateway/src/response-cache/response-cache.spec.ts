import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emailAddress, Failure } from '@registrar/contracts';
import { currentRequestContext, runInRequestContext } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import {
  type GatewayFixture,
  sampleCourse,
  sampleRegistration,
  scope,
  startGatewayFixture,
} from '../gateway.fixture.ts';
import { CatalogVersions } from './catalog-versions.ts';

const courses = '/course.json?api_key=key-of-realm';
const changePath = '/course/knots.json?api_key=key-of-realm&title=Ropes';

describe('responses that are kept', () => {
  let gateway: GatewayFixture;
  /** What the catalog holds. */
  let catalog: { title: string; version: number; change: () => void };
  let realmId = 200;

  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    catalog = {
      title: 'Knots',
      version: 1,
      change: () => void Object.assign(catalog, { title: 'Ropes', version: 2 }),
    };
    gateway.contexts.version = async () => String(catalog.version);
    gateway.contexts.courses = async () => ({
      items: [{ ...sampleCourse, title: catalog.title }],
      next: null,
    });
    // A realm for which nothing is kept yet.
    realmId += 1;
    gateway.contexts.scopes.set(`key-${realmId}`, scope({ realmId, applicationIds: [realmId] }));
  });

  const path = (more = '') => `/course.json?api_key=key-${realmId}&fields=title${more}`;
  const get = async (url = path()) => {
    const response = await gateway.get(url);
    return response.ok ? response.text() : response.status;
  };
  const lists = () => gateway.received('catalog.index-courses').length;
  const change = () => gateway.get(changePath, { method: 'PUT' });
  const knots = '[{"title":"Knots"}]';
  const ropes = '[{"title":"Ropes"}]';

  it('responses that are kept are sent again without reading the catalog, from the second equal request on', async () => {
    for (let request = 1; request <= 5; request += 1) expect(await get()).toBe(knots);
    expect(lists()).toBe(2);
    expect(gateway.received('catalog.read-versions')[0]).toEqual({
      applicationIds: [realmId],
      realmIds: [],
    });
  });

  it('responses that are kept are lists of templates too, by the version of the realm’s templates', async () => {
    gateway.contexts.scopes.set('whole', scope({ realmId, wholeRealm: true }));
    for (let request = 1; request <= 3; request += 1) await get('/template.json?api_key=whole');
    expect(gateway.received('catalog.index-templates')).toHaveLength(2);
    expect(gateway.received('catalog.read-versions')[0]).toEqual({
      applicationIds: [],
      realmIds: [realmId],
    });
  });

  it('responses that are kept are none of a page, or with the number of records', async () => {
    for (const more of ['&limit=1', '&cursor=MQ', '&count=t']) {
      for (let request = 1; request <= 3; request += 1) expect(await get(path(more))).toBe(knots);
    }
    expect(lists()).toBe(9);
  });

  it('responses that are kept are none of registrations, and none of more than 16 applications', async () => {
    const applicationIds = Array.from({ length: 17 }, (_, id) => id + 1);
    gateway.contexts.scopes.set('wide', scope({ realmId, applicationIds }));
    for (let request = 1; request <= 3; request += 1) {
      await get(`/registration.json?api_key=key-${realmId}`);
      expect(await get('/course.json?api_key=wide&fields=title')).toBe(knots);
    }
    expect(gateway.received('enrolment.index-registrations')).toHaveLength(3);
    expect(lists()).toBe(3);
  });

  it('responses that are kept are sent again with the same headers', async () => {
    const headers = async () => {
      const response = await gateway.get(path());
      await response.text();
      const changing = ['date', 'x-request-id', 'ratelimit'];
      return [...response.headers].filter(([name]) => !changing.includes(name));
    };
    const [first, second, third] = [await headers(), await headers(), await headers()];
    expect(first.map(([name]) => name)).toContain('etag');
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  it('responses that are kept are made anew after a change, when its answer is there', async () => {
    for (let request = 1; request <= 3; request += 1) await get();
    catalog.change();
    await change();
    for (let request = 1; request <= 3; request += 1) expect(await get()).toBe(ropes);
    expect(lists()).toBe(3);
  });

  it('responses that are kept are made anew after a change through another gateway, when its answer is there', async () => {
    const another = await gateway.startReplica();
    for (let request = 1; request <= 3; request += 1) await get();
    catalog.change();
    await fetch(`${another.url}/api/v2${changePath}`, { method: 'PUT' });
    expect(await get()).toBe(ropes);
    await another.stop();
  });

  it('responses that are kept are not taken for those of a version that appeared while they were made', async () => {
    await get();
    gateway.contexts.courses = async () => {
      const { title } = catalog;
      catalog.change();
      return { items: [{ ...sampleCourse, title }], next: null };
    };
    expect(await get()).toBe(knots);
    await change();
    expect(await get()).toBe(ropes);
  });

  /** The path of the list for the user of a new key, which reaches these applications. */
  const pathOfUser = (applicationIds = [realmId]) => {
    const token = `user-${realmId}-of-${applicationIds.length}`;
    const user = { id: 3, email: emailAddress.parse('learner@example.com') };
    const bound = scope({ realmId, applicationIds, user, wholeRealm: false });
    gateway.contexts.scopes.set(token, bound);
    return `/course.json?api_key=${token}&fields=title,registrations.complete`;
  };
  const shown = (...titles: string[]) =>
    JSON.stringify(
      titles.map((title) => ({ title, registrations: { complete: sampleRegistration.complete } })),
    );

  it('lists of courses are kept for the user of a key, whose registrations are requested each time', async () => {
    const own = pathOfUser();
    const requests = () => gateway.received('enrolment.latest-registrations').length;
    for (let request = 1; request <= 4; request += 1) expect(await get(own)).toBe(shown('Knots'));
    expect([lists(), requests()]).toEqual([2, 4]);
    catalog.change();
    await change();
    expect(await get(own)).toBe(shown('Ropes'));
    expect([lists(), requests()]).toEqual([3, 5]);
  });

  it('lists of courses that are kept for the user of a key belong to one set of filters', async () => {
    const own = pathOfUser();
    for (let request = 1; request <= 3; request += 1) await get(own);
    expect(await get(`${own}&title=Knots`)).toBe(shown('Knots'));
    expect(lists()).toBe(3);
  });

  it('lists of courses are not kept for the user of a key if they have two pages, or show more than 16 applications', async () => {
    const wide = pathOfUser(Array.from({ length: 17 }, (_, id) => id + 1));
    for (let request = 1; request <= 3; request += 1) expect(await get(wide)).toBe(shown('Knots'));
    expect(lists()).toBe(3);
    const own = pathOfUser();
    gateway.contexts.courses = async ({ cursor }) => ({
      items: [{ ...sampleCourse, title: cursor ?? 'Knots' }],
      next: cursor === null ? 'Ropes' : null,
    });
    const before = lists();
    for (let request = 1; request <= 3; request += 1) {
      expect(await get(own)).toBe(shown('Knots', 'Ropes'));
    }
    expect(lists()).toBe(before + 6);
  });

  it('responses that are kept belong to one set of parameters, one format and one realm', async () => {
    const others = [path('&title=Knots'), path().replace('.json', '.csv'), path('&callback=show')];
    for (let request = 1; request <= 3; request += 1) await get();
    const before = lists();
    for (const other of others) await get(other);
    realmId += 1;
    gateway.contexts.scopes.set(`key-${realmId}`, scope({ realmId, applicationIds: [realmId] }));
    await get();
    expect(lists()).toBe(before + others.length + 1);
  });

  it('responses that are kept are shared by the keys of a realm that reach the same, and by URLs that differ in _', async () => {
    for (let request = 1; request <= 2; request += 1) await get(path(`&_=${request}`));
    gateway.contexts.scopes.set('another', scope({ realmId, applicationIds: [realmId] }));
    expect(await get('/course.json?api_key=another&fields=title&_=9')).toBe(knots);
    expect(lists()).toBe(2);
    gateway.contexts.scopes.set('wider', scope({ realmId, applicationIds: [realmId, 1] }));
    await get('/course.json?api_key=wider&fields=title');
    expect(lists()).toBe(3);
  });

  it('responses that are kept are none of user-bound keys, and none of errors', async () => {
    for (let request = 1; request <= 3; request += 1) {
      await get('/course.json?api_key=key-of-user');
      expect(await get(path('&color=blue'))).toBe(500);
    }
    expect(gateway.received('enrolment.latest-registrations')).toHaveLength(3);
  });

  it('responses that are kept are refused to access that has ended', async () => {
    for (let request = 1; request <= 3; request += 1) await get();
    const key = `key-${realmId}`;
    const ended = new Date(Date.now() - 1_000).toISOString();
    gateway.contexts.scopes.set('ended', scope({ realmId, expiresAt: ended }));
    expect(await get(path().replace(key, 'ended'))).toBe(401);
  });

  it('responses that are kept are not needed: a catalog that tells no version is read', async () => {
    gateway.contexts.version = async () => {
      throw new Failure('unavailable', 'an older catalog');
    };
    for (let request = 1; request <= 3; request += 1) expect(await get()).toBe(knots);
    expect(lists()).toBe(3);
  });

  describe('questions for versions', () => {
    const read = (...ownerIds: number[]) =>
      gateway.app
        .get(CatalogVersions)
        .read(ownerIds.map((ownerId) => ({ kind: 'courses' as const, ownerId })));

    it('questions for versions are one for all that ask at once', async () => {
      const templates = gateway.app.get(CatalogVersions).read([{ kind: 'templates', ownerId: 21 }]);
      const answers = await Promise.all([read(21), read(22, 23), templates, read(21), read()]);
      expect(answers).toEqual([['1'], ['1', '1'], ['1'], ['1'], []]);
      expect(gateway.received('catalog.read-versions')).toEqual([
        { applicationIds: [21, 22, 23], realmIds: [21] },
      ]);
    });

    it('questions for versions have a deadline of their own, since several requests wait for the answer', async () => {
      let deadline: number | null | undefined;
      gateway.contexts.version = async () => {
        deadline = currentRequestContext()?.deadline;
        return '1';
      };
      const asker = { requestId: 'asker', deadline: Date.now() + 60_000 };
      await runInRequestContext(asker, () => read(24));
      expect(deadline).toBeLessThanOrEqual(Date.now() + 2_000);
    });

    it('questions for versions are asked again after the lifetime of their answer, and after an error', async () => {
      const { version } = gateway.contexts;
      gateway.contexts.version = async () => {
        throw new Failure('unavailable', 'the catalog has stopped');
      };
      await expect(read(4)).rejects.toMatchObject({ code: 'unavailable' });
      gateway.contexts.version = version;
      expect(await read(4)).toEqual(['1']);
      catalog.version = 2;
      await eventually('the version is read again', async () => (await read(4))[0] === '2');
    });
  });

  it('responses that are kept are not sent again to a client that has them, also if a cache on the way may not answer', async () => {
    const { headers } = await gateway.get(path());
    const etag = headers.get('etag') ?? '';
    for (const control of ['no-cache', 'max-age=0']) {
      const again = await gateway.get(path(), {
        headers: { 'if-none-match': etag, 'cache-control': control },
      });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(await again.text()).toBe('');
    }
    const other = await gateway.get(path(), { headers: { 'if-none-match': '"other"' } });
    expect(await other.text()).toBe(knots);
  });

  it('responses that are kept are not kept page by page', async () => {
    gateway.contexts.courses = async ({ cursor }) => ({
      items: [sampleCourse],
      next: cursor === null ? 'next' : null,
    });
    for (let request = 1; request <= 3; request += 1) {
      const response = await gateway.get(path());
      await response.text();
      expect(response.headers.get('etag')).toBeNull();
    }
    expect(lists()).toBe(6);
  });

  it('responses that are kept have the headers of GET for HEAD, and no body', async () => {
    const got = await gateway.get(courses);
    const text = await got.text();
    const head = await gateway.get(courses, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(got.headers.get('etag'));
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await head.text()).toBe('');
  });
});
