import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { type GatewayFixture, sampleCourse, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const indexes = {
  course: 'catalog.index-courses',
  template: 'catalog.index-templates',
  registration: 'enrolment.index-registrations',
  invitation: 'enrolment.index-invitations',
  realm_user: 'identity.index-realm-users',
  course_provider: 'identity.index-course-providers',
};

describe('pages of a list', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.reset();
    // A catalog of three courses, whose cursor is the number of courses before a page.
    gateway.contexts.courses = async ({ cursor, limit, count }) => {
      const begin = Number(cursor ?? 0);
      const all = ['a', 'b', 'c'].map((title) => ({ ...sampleCourse, title }));
      const items = all.slice(begin, begin + limit);
      const end = begin + items.length;
      return { items, next: end < all.length ? `${end}` : null, ...(count && { total: 3 }) };
    };
  });

  const linkOf = (response: Response) => response.headers.get('link');
  const inputOf = (name: string) => gateway.received(name)[0];

  it.each(Object.entries(indexes))(
    'pages of %s index are requested with limit, cursor and count',
    async (resource, contract) => {
      const response = await gateway.get(`/${resource}.json?limit=7&cursor=MQ&count=t&${key}`);
      expect(response.status).toBe(200);
      expect(gateway.received(contract)).toHaveLength(1);
      const page = { cursor: 'MQ', limit: 7, count: true, alone: true };
      expect(inputOf(contract)).toMatchObject(page);
      expect(await gateway.statusOf(`/${resource}.json?limit=500&${key}`)).not.toBe(500);
      for (const wrong of ['limit=0', 'limit=501', 'limit=', 'limit=-1', 'limit=1.5', 'limit=x']) {
        expect(await gateway.statusOf(`/${resource}.json?${wrong}&${key}`)).toBe(500);
      }
      for (const wrong of ['cursor=', 'cursor=a%20b', `cursor=${'a'.repeat(201)}`, 'count=x']) {
        expect(await gateway.statusOf(`/${resource}.json?${wrong}&${key}`)).toBe(500);
      }
    },
  );

  it('pages of a list follow each other by links, in every format and with selected fields', async () => {
    for (const path of ['/course.json', '/course.xml', '/course.csv', '/course']) {
      const titles: string[] = [];
      let query = '?limit=2&fields=title&callback=app.show';
      for (let pages = 1; query !== ''; pages += 1) {
        const response = await gateway.get(`${path}${query}&${key}`);
        const text = await response.text();
        titles.push(
          ...['a', 'b', 'c'].filter((title) => new RegExp(`[">]${title}["<]`).test(text)),
        );
        const [, next = ''] = /^<(.*)>; rel="next"$/.exec(linkOf(response) ?? '') ?? [];
        query = next && new URL(next, response.url).search;
        expect(pages).toBeLessThan(3);
      }
      expect(titles).toEqual(['a', 'b', 'c']);
    }
  });

  it('links of pages repeat all parameters but those of the access and of the request', async () => {
    const given =
      'limit=1&title_re=x&title_re=%3E%C3%A9&format=json&fields=id&count=t&_=1&host_url=h';
    const pairs = [
      key,
      'accessToken=key-of-realm',
      'realm_guid=realm-1&realm_secret_key=realm-secret',
    ];
    for (const access of [...pairs, 'sc_app_id=app-1&sc_secret_key=app-secret']) {
      const response = await gateway.get(`/course?${access}&${given}`);
      const kept = 'limit=1&title_re=x&title_re=%3E%C3%A9&format=json&fields=id';
      expect(linkOf(response)).toBe(`<?${kept}&cursor=1>; rel="next"`);
    }
    expect(linkOf(await gateway.get(`/course.json?limit=3&${key}`))).toBeNull();
    expect(linkOf(await gateway.get(`/course.json?cursor=1&${key}`))).toBeNull();
    const long = `title=${'x'.repeat(3_000)}`;
    expect(await gateway.statusOf(`/course.json?limit=1&${long}&${key}`)).toBe(500);
    expect((await gateway.get(`/course.json?${long}&${key}`)).status).toBe(200);
  });

  it('a page of invitations has at most 100 records, because each may list thousands of learners', async () => {
    await gateway.get(`/invitation.json?limit=500&${key}`);
    expect(inputOf(indexes.invitation)).toMatchObject({ limit: 100 });
  });

  it('a list without limit streams all that follows the cursor', async () => {
    const large = { ...sampleCourse, custom: 'x'.repeat(1_000) };
    gateway.contexts.courses = async ({ cursor }) =>
      cursor === 'c'
        ? { items: [large], next: null }
        : { items: [large], next: cursor ? 'c' : 'b' };
    const response = await gateway.get(`/course.json?cursor=b&count=t&${key}`);
    expect(response.headers.get('x-total-count')).toBeNull();
    expect(await response.json()).toHaveLength(2);
    expect(gateway.received(indexes.course)).toMatchObject([
      { cursor: 'b', count: true },
      { cursor: 'c' },
    ]);
    expect(inputOf(indexes.course)).not.toHaveProperty('alone');
  });

  it('X-Total-Count is the number of the whole list, and missing where counting takes too long', async () => {
    const countOf = async (path: string) =>
      (await gateway.get(`${path}&${key}`)).headers.get('x-total-count');
    expect(await countOf('/course.json?count=t&limit=1')).toBe('3');
    expect(await countOf('/course.csv?count=1')).toBe('3');
    expect(await countOf('/course.json?count=f')).toBeNull();
    expect(await countOf('/course.json?id=x&course_guid=y&count=t')).toBe('0');
    expect(await countOf('/registration.json?id=x&registration_guid=y&count=t')).toBe('0');
    gateway.contexts.courses = async () => ({ items: [sampleCourse], next: null, total: null });
    expect(await countOf('/course.json?count=t')).toBeNull();
  });

  it('pages may read Link and X-Total-Count where the response has them', async () => {
    const exposed = async (query: string) =>
      (await gateway.get(`/course.json?${query}`)).headers.get('access-control-expose-headers');
    expect(await exposed(`limit=1&count=t&${key}`)).toMatch(
      /, Idempotency-Replayed, Link, X-Total-Count$/,
    );
    expect(await exposed(`limit=3&${key}`)).toMatch(/, Idempotency-Replayed$/);
    const pair = 'realm_guid=realm-1&realm_secret_key=realm-secret';
    expect(await exposed(`limit=1&${pair}`)).toBeNull();
  });

  it('pages of courses have no ETag, and are read anew for the user of a key too', async () => {
    gateway.contexts.version = async () => '1';
    const get = (query: string) => gateway.get(`/course.json?${query}${key}`);
    for (let request = 1; request <= 3; request += 1) {
      for (const query of ['limit=3&', 'cursor=1&', 'count=t&']) {
        expect((await get(query)).headers.has('etag')).toBe(false);
      }
    }
    expect((await get('')).headers.has('etag')).toBe(true);
    const before = gateway.received(indexes.course).length;
    for (let request = 1; request <= 3; request += 1) {
      const response = await gateway.get('/course.json?limit=2&api_key=key-of-user');
      expect(linkOf(response)).toContain('cursor=2');
    }
    expect(gateway.received(indexes.course)).toHaveLength(before + 3);
  });

  it('a failure of a page becomes a status', async () => {
    gateway.contexts.courses = async () => {
      throw new Failure('invalid', 'malformed cursor');
    };
    expect(await gateway.statusOf(`/course.json?limit=1&cursor=x&${key}`)).toBe(500);
  });

  it('registration index passes its filters and its order on, by updated_at with updated_since', async () => {
    const since = '2026-01-02T03:04:05Z';
    const withFraction = '2026-01-02T03:04:05.678Z';
    const query = `complete=complete&success=failed&updated_since=${since}&created_since=${withFraction}`;
    await gateway.get(`/registration.json?${query}&${key}`);
    expect(inputOf(indexes.registration)).toMatchObject({
      filters: {
        complete: 'complete',
        success: 'failed',
        updatedSince: since,
        createdSince: withFraction,
      },
      sort: 'updated_at',
    });
    await gateway.get(`/registration.json?updated_since=${since}&sort=-id&${key}`);
    expect(gateway.received(indexes.registration)[1]).toMatchObject({ sort: '-id' });
    await gateway.get(`/registration.json?${key}`);
    expect(gateway.received(indexes.registration)[2]).not.toHaveProperty('sort');
    const wrong = ['complete=t', 'success=passed', 'sort=learner_id', 'sort=', 'updated_since=1'];
    const times = [
      '2026-01-02',
      `2026-01-02T03:04:05.${'6'.repeat(12)}Z`,
      '0000-01-02T03:04:05Z',
      '2026-02-30T00:00:00Z',
    ];
    for (const each of [...wrong, ...times.map((time) => `created_since=${time}`)]) {
      expect(await gateway.statusOf(`/registration.json?${each}&${key}`)).toBe(500);
    }
  });

  it('bom begins CSV with a byte order mark, of stored queries too', async () => {
    const bytes = async (path: string) =>
      Buffer.from(await (await gateway.get(`${path}&${key}`)).arrayBuffer());
    const plain = await bytes('/course.csv?fields=title');
    expect(plain.toString()).toMatch(/^"title"/);
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    expect(await bytes('/course.csv?fields=title&bom=1')).toEqual(Buffer.concat([mark, plain]));
    expect(await bytes('/course.csv?fields=title&bom=f')).toEqual(plain);
    expect((await bytes('/run.csv?name=q&bom=t')).subarray(0, 3)).toEqual(mark);
    expect((await bytes('/course.json?bom=t')).toString()).toMatch(/^\[/);
    expect((await bytes('/course.xml?bom=t')).toString()).toMatch(/^<\?xml/);
  });

  it('a stored query on the former path has limit, cursor, count and bom of its own', async () => {
    const query = 'name=q&limit=1&cursor=2&count=3&bom=4';
    const response = await gateway.get(`/stored_query/run.csv?${query}&${key}`);
    expect(await response.text()).toMatch(/^course/);
    expect(gateway.received('enrolment.run-query')).toMatchObject([
      { parameters: { limit: '1', cursor: '2', count: '3', bom: '4' } },
    ]);
    await gateway.get(`/run.json?name=q&limit=1&${key}`);
    expect(gateway.received('enrolment.run-query')[1]).toMatchObject({
      parameters: { limit: '1' },
    });
  });
});
