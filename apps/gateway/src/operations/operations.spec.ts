import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type GatewayFixture,
  sampleCourse,
  sampleGuids,
  sampleInvitation,
  sampleRegistration,
  startGatewayFixture,
} from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const form = (text: string): RequestInit => ({ method: 'POST', body: new URLSearchParams(text) });
const put = (text: string): RequestInit => ({ method: 'PUT', body: new URLSearchParams(text) });

describe('operations', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const statusOf = async (path: string, init?: RequestInit) =>
    (await gateway.get(path, init)).status;
  const json = async (path: string, init?: RequestInit) => (await gateway.get(path, init)).json();

  it('operations send the same request on each of their routes', async () => {
    const paths: [string, string, object, RequestInit?][] = [
      [
        '/course/knots.json?title=Rope',
        'catalog.update-course',
        { courseGuid: 'knots', title: 'Rope' },
        { method: 'PUT' },
      ],
      [
        '/course/knots.json',
        'catalog.update-course',
        { custom: '{}', title: null },
        form('custom={}'),
      ],
      [
        '/course/com.example.knots',
        'catalog.update-course',
        { courseGuid: 'com.example.knots' },
        put('title=a'),
      ],
      [
        '/course/gupdate/com.example.knots.xml?title=a',
        'catalog.update-course',
        { courseGuid: 'com.example.knots' },
      ],
      [
        '/registration/reg-9.json',
        'enrolment.update-registration',
        { custom: { a: 1 } },
        put('custom={"a":1}'),
      ],
      [
        '/registration/gupdate/reg-9?custom=null',
        'enrolment.update-registration',
        { custom: null },
      ],
      [
        '/realm_user.json?email=user@example.com',
        'identity.index-realm-users',
        { filters: { email: 'user@example.com' } },
      ],
      [
        '/realm_user/6.json',
        'identity.update-realm-user',
        { user: { by: 'id', id: 6 }, custom: 'x' },
        put('custom=x'),
      ],
      [
        '/realm_user/gupdate.json?email=user@example.com&realm_role_id=2',
        'identity.update-realm-user',
        { user: { by: 'email' }, realmRoleId: 2 },
      ],
      [
        '/realm_user.csv?email=user@example.com',
        'identity.update-realm-user',
        { user: { by: 'email' } },
        { method: 'PUT' },
      ],
      ['/template.json?markup=erb', 'catalog.index-templates', { filters: { markup: 'erb' } }],
      [
        '/template/4.json',
        'catalog.update-template',
        { template: { by: 'id', id: 4 }, name: 'new' },
        put('name=new'),
      ],
      [
        '/template/gupdate?name=welcome&body=x',
        'catalog.update-template',
        { template: { by: 'name' }, body: 'x', name: null },
      ],
      [
        '/invitation.json?name=spring',
        'enrolment.index-invitations',
        { filters: { name: 'spring' } },
      ],
      [
        '/invitation/8',
        'enrolment.update-invitation',
        { invitation: { by: 'id', id: 8 }, enabled: false, license: null },
        form('enabled=f'),
      ],
      [
        '/invitation/gupdate?name=spring&course_guids=["a"]',
        'enrolment.update-invitation',
        { invitation: { by: 'name' }, courseGuids: ['a'] },
      ],
      ['/course_provider.xml', 'identity.index-course-providers', {}],
    ];
    for (const [path, contract, input, init] of paths) {
      const separator = path.includes('?') ? '&' : '?';
      expect([path, await statusOf(`${path}${separator}${key}`, init)]).toEqual([path, 200]);
      expect(gateway.received(contract).at(-1)).toMatchObject(input);
    }
  });

  it('operations change items whose GUID is the name of an operation', async () => {
    for (const change of [put('title=a'), form('title=a')]) {
      expect(await statusOf(`/course/gcreate?${key}`, change)).toBe(200);
      expect(await statusOf(`/course/gcreate.json?${key}`, change)).toBe(200);
    }
    const updates = gateway.received('catalog.update-course');
    expect(updates).toHaveLength(4);
    expect(updates).toMatchObject(updates.map(() => ({ courseGuid: 'gcreate' })));
    expect(await statusOf(`/registration/gcreate.json?${key}`, form('custom={}'))).toBe(200);
    expect(gateway.received('enrolment.update-registration')).toMatchObject([
      { registrationGuid: 'gcreate' },
    ]);
    const head = await gateway.get(`/course/gcreate?${key}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, PUT, POST, DELETE']);
  });

  it('operations accept a trailing slash', async () => {
    for (const path of ['/course/', '/course.json/', '/registration/reg-9/launch_url.json/']) {
      expect([path, await statusOf(`${path}?${key}`)]).toEqual([path, 200]);
    }
    expect(await statusOf(`/course/knots/?${key}`, put('title=a'))).toBe(200);
    expect(gateway.received('catalog.update-course').at(-1)).toMatchObject({ courseGuid: 'knots' });
  });

  it('operations take a POST with _method for a request with that method', async () => {
    const email = 'email=user@example.com';
    for (const path of ['/realm_user.json?_method=put', '/realm_user?_method=PUT']) {
      expect(await statusOf(path, form(`${key}&${email}`))).toBe(200);
    }
    expect(await statusOf('/realm_user', form(`${key}&${email}&_method=put`))).toBe(200);
    expect(gateway.received('identity.update-realm-user')).toHaveLength(3);
    expect(await statusOf('/course/knots', form(`${key}&title=a&_method=PUT`))).toBe(200);
    expect(await statusOf('/realm_user', form(`${key}&${email}&_method=post`))).toBe(201);
    expect(await statusOf('/realm_user', form(`${key}&${email}&_method=turn`))).toBe(500);
    expect(gateway.reasons().at(-1)).toContain('PUT');
    expect(await statusOf(`/realm_user?_method=put&${key}`)).toBe(500);
    expect(await statusOf('/realm_user?_method=put', form('api_key=key-of-user'))).toBe(401);
  });

  it('operations accept host_url and ignore it', async () => {
    expect(await statusOf(`/course.json?host_url=http%3A%2F%2Fa.example&${key}`)).toBe(200);
    expect(await statusOf(`/run.json?name=seats&host_url=a&${key}`)).toBe(200);
    expect(gateway.received('enrolment.run-query')).toMatchObject([{ parameters: {} }]);
  });

  it('operations return 201 when they create a record', async () => {
    const paths: [string, string, object, RequestInit?][] = [
      [
        '/realm_user.json',
        'identity.create-realm-user',
        { email: 'a@example.com', realmRoleId: null },
        form('email=a@example.com'),
      ],
      [
        '/realm_user/gcreate.xml?email=a@example.com&custom=x',
        'identity.create-realm-user',
        { custom: 'x' },
      ],
      [
        '/template.json',
        'catalog.create-template',
        { name: 'n', body: 'b', markup: null },
        form('name=n&body=b'),
      ],
      ['/template/gcreate?name=n', 'catalog.create-template', { body: '' }],
      [
        '/invitation.json',
        'enrolment.create-invitation',
        { name: 'n', courseGuids: null, license: true },
        form('name=n&license=t'),
      ],
      [
        '/invitation/gcreate.csv?name=n&course_guids=["knots"]',
        'enrolment.create-invitation',
        { courseGuids: ['knots'] },
      ],
    ];
    for (const [path, contract, input, init] of paths) {
      const separator = path.includes('?') ? '&' : '?';
      expect([path, await statusOf(`${path}${separator}${key}`, init)]).toEqual([path, 201]);
      expect(gateway.received(contract).at(-1)).toMatchObject(input);
    }
  });

  it('operations return 404 without a target, and 500 for malformed parameters', async () => {
    expect(await statusOf(`/realm_user/gcreate.json?email=nobody&${key}`)).toBe(500);
    expect(await statusOf(`/realm_user/gupdate.json?custom=x&${key}`)).toBe(404);
    expect(await statusOf(`/realm_user/gupdate/6.json?email=a@example.com&${key}`)).toBe(500);
    expect(await statusOf(`/template/abc.json?${key}`, { method: 'PUT' })).toBe(404);
    expect(await statusOf(`/invitation/gcreate.json?name=n&course_guids=knots&${key}`)).toBe(500);
    expect(await statusOf(`/invitation/add_learners.json?${key}`)).toBe(404);
    expect(await statusOf(`/registration/gupdate/reg-9.json?custom={&${key}`)).toBe(500);
    expect(await statusOf(`/run.json?${key}`)).toBe(404);
  });

  it('operations accept repeated and numbered regular expressions for filters, at most 8 of 256 characters', async () => {
    await gateway.get(
      `/course.json?title_re=^K&title_re=s$&custom_re0=a&custom_re1=b&id_re=k&${key}`,
    );
    expect(gateway.received('catalog.index-courses').at(-1)).toMatchObject({
      filters: {
        patterns: { title: ['^K', 's$'], custom: ['a', 'b'], courseGuid: ['k'] },
      },
    });
    await gateway.get(`/registration.json?learner_id_re=@example&registration_guid_re=r&${key}`);
    expect(gateway.received('enrolment.index-registrations').at(-1)).toMatchObject({
      filters: { patterns: { learnerId: ['@example'], registrationGuid: ['r'] } },
    });
    const nine = Array.from({ length: 9 }, (_, n) => `title_re${n}=a`).join('&');
    expect(await statusOf(`/course.json?${nine}&${key}`)).toBe(500);
    expect(await statusOf(`/course.json?title_re=${'a'.repeat(257)}&${key}`)).toBe(500);
    expect(await statusOf(`/course.json?include_registrations_re=t&${key}`)).toBe(500);
    expect(await statusOf(`/course.json?title_rex=t&${key}`)).toBe(500);
  });

  it('nest the most recent registration of the user of a user-bound key in each course', async () => {
    const user = 'api_key=key-of-user';
    const [course] = (await json(`/course.json?include_registrations=t&${user}`)) as [object];
    expect(course).toMatchObject({ course_guid: 'knots', registrations: sampleRegistration });
    const nested = await json(`/course.json?fields=id,registrations.complete&${user}`);
    expect(nested).toEqual([{ id: 3, registrations: { complete: 'complete' } }]);
    const xml = await (await gateway.get(`/course.xml?include_registrations=t&${user}`)).text();
    expect(xml).toContain('<registration-count type="integer">1</registration-count>');
    expect(xml).toContain('<registrations><id type="integer">9</id>');
    const csv = await gateway.get(`/course.csv?fields=registrations.score&${user}`);
    expect(await csv.text()).toBe('"registrations.score"\r\n"87.5"\r\n');
  });

  it('nest the fields of the field set in each course, unless fields are named', async () => {
    const user = 'include_registrations=1&api_key=key-of-user';
    const { id, registration_guid, course_guid, learner_id, complete, success, score } =
      sampleRegistration;
    const registrations = {
      id,
      registration_guid,
      course_guid,
      learner_id,
      complete,
      success,
      score,
    };
    const minimum = { id: 3, course_guid: 'knots', title: 'Knots & ropes', registrations };
    expect(await json(`/course.json?api_template=public_minimum&${user}`)).toEqual([minimum]);
    const extended = (await json(`/course.json?api_template=extended&${user}`)) as [object];
    expect(extended[0]).toMatchObject({ registrations: sampleRegistration });
    const xml = await gateway.get(`/course.xml?template=public_minimum&${user}`);
    expect(await xml.text()).toContain('<registrations><id type="integer">9</id>');
    const csv = await gateway.get(`/course.csv?template=public_minimum&${user}`);
    expect(await csv.text()).toContain('registrations.registration_guid');
    const fields = await json(`/course.json?fields=title&${user}`);
    expect(fields).toEqual([{ title: 'Knots & ropes' }]);
  });

  it('operations show a user-bound key the number of its own registrations only', async () => {
    const [course] = (await json('/course.json?api_key=key-of-user')) as [object];
    expect(course).toMatchObject({ course_guid: 'knots', registrations: 1 });
  });

  it('operations ignore include_registrations for an unbound key', async () => {
    const { metadata: _, warnings: _warnings, ...plain } = sampleCourse;
    expect(await json(`/course.json?include_registrations=t&${key}`)).toEqual([plain]);
    const nested = 'registrations.complete,registrations.score';
    expect(await json(`/course.json?fields=id,${nested}&${key}`)).toEqual([{ id: plain.id }]);
    expect(await json(`/course/knots.json?fields=${nested}&${key}`)).toEqual({});
    expect(await statusOf(`/course.json?fields=registrations.color&${key}`)).toBe(500);
    expect(gateway.received('enrolment.latest-registrations')).toEqual([]);
  });

  it('operations show `active` in registrations with include_inactive', async () => {
    const listed = await json(`/registration.json?include_inactive=t&${key}`);
    expect(listed).toEqual([{ ...sampleRegistration, active: true }]);
    expect(gateway.received('enrolment.index-registrations')).toMatchObject([
      { includeInactive: true },
    ]);
  });

  describe('of invitation add_learners', () => {
    const path = '/invitation/add_learners.json?name=spring&learners=["learner@example.com"]';
    const { invitation_template_id, created_at, updated_at, ...shown } = sampleInvitation;

    it('operations of invitation add_learners return the public record, with registration GUIDs by learner on request', async () => {
      expect(await json(`${path}&${key}`)).toEqual(shown);
      expect(await json(`${path}&show_registration_guids=t&${key}`)).toEqual({
        ...shown,
        registration_guids: sampleGuids,
        messages: ['No seat is free in knots.'],
      });
      expect(await json(`${path}&nodelay=t&${key}`)).toEqual({
        ...shown,
        messages: ['No seat is free in knots.'],
      });
      expect(gateway.received('enrolment.add-learners')[0]).toMatchObject({
        learners: ['learner@example.com'],
        unlearners: [],
        nodelay: false,
      });
    });

    it('operations of invitation add_learners return the extended record, the registrations and the messages with api_template=extended', async () => {
      const { registration_guids: _, ...rest } = shown;
      const extended = { ...rest, invitation_template_id, created_at, updated_at };
      expect(await json(`${path}&api_template=extended&nodelay=1&${key}`)).toEqual({
        record: extended,
        registration_guids: sampleGuids,
        messages: ['No seat is free in knots.'],
      });
      const xml = await gateway.get(
        `${path.replace('.json', '.xml')}&api_template=extended&${key}`,
      );
      expect(await xml.text()).toContain('<record><id type="integer">8</id>');
    });

    it('operations of invitation add_learners accept 5000 learners in a body or a query string', async () => {
      const many = Array.from({ length: 5000 }, (_, n) => `learner-${n}@example.com`);
      const body = `name=spring&learners=${encodeURIComponent(JSON.stringify(many))}`;
      expect(await statusOf(`/invitation/add_learners.json?${key}`, form(body))).toBe(200);
      expect(await statusOf(`/invitation/add_learners.json?${key}&${body}`)).toBe(200);
      expect(gateway.received('enrolment.add-learners')).toMatchObject([
        { learners: many },
        { learners: many },
      ]);
      const wrong = `${key}&name=spring&learners=${encodeURIComponent('["nobody"]')}`;
      expect(await statusOf('/invitation/add_learners.json', form(wrong))).toBe(500);
    });
  });

  describe('of stored queries', () => {
    it('operations of stored queries list the built-in queries for initialize', async () => {
      expect(await json(`/initialize.json?${key}`)).toEqual([
        { name: 'seats', query_scope: 'bright' },
      ]);
    });

    it('operations of stored queries pass the query’s own parameters on and return rows for run', async () => {
      const path = `/run.xml?name=scores&query_scope=bright&since=2026&format=csv&${key}`;
      const response = await gateway.get(path);
      expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
      expect(await response.text()).toBe('course,average score\r\nknots,87.5\r\n');
      expect(gateway.received('enrolment.run-query')).toMatchObject([
        { name: 'scores', queryScope: 'bright', parameters: { since: '2026' } },
      ]);
      const xml = await (await gateway.get(`/run.xml?name=scores&${key}`)).text();
      expect(xml).toContain('<average-score type="float">87.5</average-score>');
      expect(await json(`/run.json?name=scores&fields=course&${key}`)).toEqual([
        { course: 'knots' },
      ]);
    });
  });
});
