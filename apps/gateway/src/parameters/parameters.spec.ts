import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';
const form = (text: string) => new URLSearchParams(text);

describe('parameters of a request', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const created = { course_guid: 'knots', learner_id: 'learner@example.com', fname: 'Ada' };
  const expected = { courseGuid: 'knots', learnerId: 'learner@example.com', firstName: 'Ada' };

  it('parameters of a request are read from the query string and from form, multipart and JSON bodies', async () => {
    const bodies: RequestInit[] = [
      { body: new URLSearchParams(created) },
      { body: JSON.stringify(created), headers: { 'content-type': 'application/json' } },
    ];
    const multipart = new FormData();
    for (const [name, value] of Object.entries(created)) multipart.set(name, value);
    bodies.push({ body: multipart });
    for (const init of bodies) {
      const response = await gateway.get(`/registration.json?${pair}`, { method: 'POST', ...init });
      expect(response.status).toBe(201);
      expect(gateway.received('enrolment.create-registration').at(-1)).toMatchObject({
        ...expected,
        dontDuplicate: false,
      });
    }
    const query = new URLSearchParams({ ...created, dont_duplicate: 't', check_hosted: '1' });
    expect(
      (await gateway.get(`/registration/gcreate.json?${query.toString()}&${pair}`)).status,
    ).toBe(201);
    expect(gateway.received('enrolment.create-registration').at(-1)).toMatchObject({
      dontDuplicate: true,
      checkHosted: true,
    });
  });

  it('parameters of a request may be repeated with the same value; two different values are 500', async () => {
    const twice = (value: string) =>
      gateway.post(`/registration.json?course_guid=knots&${pair}`, form(`course_guid=${value}`));
    expect((await gateway.post(`/api_key.json?${realm}`, form(realm))).status).toBe(201);
    expect((await twice('ropes')).status).toBe(500);
    expect(await gateway.statusOf(`/course.json?title=a&title=b&${key}`)).toBe(500);
  });

  it('parameters of a request are accepted by their former names, which are no parameters of their own', async () => {
    const former = { first_name: 'Ada', last_name: 'Lovelace', check_scorm_cloud: 't' };
    const query = { course_guid: 'knots', learner_id: 'learner@example.com', ...former };
    const create = (more: Record<string, string> = {}) =>
      gateway.post(`/registration.json?${pair}`, new URLSearchParams({ ...query, ...more }));
    expect((await create()).status).toBe(201);
    expect(gateway.received('enrolment.create-registration').at(-1)).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      checkHosted: true,
    });
    expect((await create({ fname: 'Ada' })).status).toBe(201);
    expect((await create({ fname: 'Grace' })).status).toBe(500);
    expect(gateway.reasons()).toContain('fname is given with different values');
    expect(await gateway.statusOf(`/course.json?first_name=Ada&${key}`)).toBe(500);
  });

  it('parameters of a request are 500 when unknown or malformed', async () => {
    expect(await gateway.statusOf(`/course.json?color=blue&${key}`)).toBe(500);
    expect(gateway.reasons()).toContain('unknown parameters: "color"');
    expect((await gateway.get(`/course.json?_=123&${key}`)).status).toBe(200);
    expect(await gateway.statusOf(`/registration.json?crawl=perhaps&${key}`)).toBe(500);
    expect(gateway.reasons().at(-1)).toMatch(/^malformed parameters: crawl: .*"yes"/);
    expect(await gateway.statusOf(`/api_key/gcreate?user_email=nobody&${realm}`)).toBe(500);
    const url = `/registration/reg-9/launch_url.json?${key}&redirect_url=`;
    expect(await gateway.statusOf(`${url}javascript:alert(1)`)).toBe(500);
    const json = { 'content-type': 'application/json' };
    expect((await gateway.post(`/course.json?${pair}`, '{"course', json)).status).toBe(500);
    expect(gateway.lines().at(-1)).toMatchObject({ level: 'warn', code: 'invalid', status: 500 });
    expect((await gateway.post(`/course.json?${pair}`, '[1]', json)).status).toBe(500);
    const xml = { 'content-type': 'text/xml' };
    expect((await gateway.post(`/course.json?${pair}`, '<a/>', xml)).status).toBe(500);
  });

  it('parameters of a request are logged with what a list of JSON is expected to be', async () => {
    for (const guids of ['x', '{"a":1}', '"knots"']) {
      const text = `name=n&course_guids=${encodeURIComponent(guids)}&${key}`;
      expect(await gateway.statusOf(`/invitation/gcreate.json?${text}`)).toBe(500);
      expect(gateway.reasons().at(-1)).toBe(
        'malformed parameters: course_guids: expected a JSON array',
      );
    }
    const learners = encodeURIComponent('["a@example.com","realm-secret"]');
    await gateway.get(`/invitation/add_learners.json?name=n&learners=${learners}&${key}`);
    expect(gateway.reasons().at(-1)).toBe(
      'malformed parameters: learners.1: Invalid email address',
    );
    await gateway.get(`/registration/gupdate/reg-9.json?custom={realm-secret&${key}`);
    expect(gateway.reasons().at(-1)).toBe('malformed parameters: custom: expected JSON');
    expect(JSON.stringify(gateway.lines())).not.toContain('realm-secret');
  });

  it('parameters of a request may be flags in the words of several languages', async () => {
    const values = {
      true: ['t', 'T', 'true', 'TRUE', 'True', '1', 'yes', 'YES', 'on'],
      false: ['f', 'F', 'false', 'FALSE', 'False', '0', 'no', 'NO', 'off', ''],
    };
    for (const [meaning, words] of Object.entries(values)) {
      for (const word of words) {
        const path = `/registration.json?last_only=${word}&include_inactive=${word}&${key}`;
        expect([word, (await gateway.get(path)).status]).toEqual([word, 200]);
        expect(gateway.received('enrolment.index-registrations').at(-1)).toMatchObject({
          lastOnly: meaning === 'true',
          includeInactive: meaning === 'true',
        });
        await gateway.get(`/invitation/gupdate.json?name=n&enabled=${word}&${key}`);
        expect(gateway.received('enrolment.update-invitation').at(-1)).toMatchObject({
          enabled: meaning === 'true',
        });
      }
    }
  });

  it('parameters of a request may be several GUIDs of courses in the forms of PHP', async () => {
    for (const list of ['course_guid[]=a&course_guid[]=b', 'course_guid[0]=a&course_guid[1]=b']) {
      expect((await gateway.get(`/course.json?${list}&${key}`)).status).toBe(200);
      expect((await gateway.get(`/registration.json?${list}&${key}`)).status).toBe(200);
    }
    const filters = { courseGuids: ['a', 'b'] };
    expect(gateway.received('catalog.index-courses')).toMatchObject([{ filters }, { filters }]);
    expect(gateway.received('enrolment.index-registrations')).toMatchObject([
      { filters },
      { filters },
    ]);
    expect(await gateway.statusOf(`/course.json?title[]=a&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?course_guid=a&course_guid=b&${key}`)).toBe(500);
  });

  it('parameters of a request are checked after access', async () => {
    expect(await gateway.statusOf('/course.json?color=blue')).toBe(401);
    expect(await gateway.statusOf(`/course.json?color=blue&${realm}&${pair}`)).toBe(501);
  });

  it('parameters of a request match nothing when `id` and the GUID differ', async () => {
    expect((await gateway.get(`/course.json?id=knots&course_guid=knots&${key}`)).status).toBe(200);
    const both = await gateway.get(`/registration.json?id=a&registration_guid=b&${key}`);
    expect(await both.text()).toBe('[]');
    expect(gateway.received('enrolment.index-registrations')).toHaveLength(0);
  });
});
