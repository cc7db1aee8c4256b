import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayFixture, sampleCourse, startGatewayFixture } from '../gateway.fixture.ts';

const key = 'api_key=key-of-realm';
const realm = 'realm_guid=realm-1&realm_secret_key=realm-secret';
const pair = 'sc_app_id=app-1&sc_secret_key=app-secret';

describe('formats of responses', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.reset());

  const typeOf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await gateway.get(path, { headers });
    return { type: response.headers.get('content-type')?.split(';')[0], response };
  };

  it('chooses the format by suffix, then parameter, then Accept header, then JSON', async () => {
    const csv = { accept: 'text/csv' };
    expect((await typeOf(`/course.xml?format=json&${key}`, csv)).type).toBe('application/xml');
    expect((await typeOf(`/course?format=json&${key}`, csv)).type).toBe('application/json');
    expect((await typeOf(`/course?${key}`, csv)).type).toBe('text/csv');
    const preferXml = { accept: 'text/xml;q=0.5, text/csv;q=0.4' };
    expect((await typeOf(`/course?${key}`, preferXml)).type).toBe('application/xml');
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
    expect((await typeOf(`/course?${key}`, { accept: browser })).type).toBe('application/json');
  });

  it('sets the Deprecation header for a path without a suffix', async () => {
    const { response } = await typeOf(`/course?${key}`);
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect((await typeOf(`/course.json?${key}`)).response.headers.has('deprecation')).toBe(false);
  });

  it('returns 406 for an unknown format before it checks anything else', async () => {
    expect(await gateway.statusOf('/course.pdf')).toBe(406);
    expect(await gateway.statusOf(`/course?format=yaml&${realm}&${pair}`)).toBe(406);
    expect(await gateway.statusOf('/registration/x/launch_url.html?color=blue')).toBe(406);
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect(await gateway.statusOf('/registration.pdf', broken)).toBe(406);
  });

  it('writes the warnings of a course in every format, when fields names them', async () => {
    const text = async (suffix: string) =>
      (await gateway.get(`/course.${suffix}?fields=warnings&${key}`)).text();
    const [warning] = sampleCourse.warnings;
    expect(JSON.parse(await text('json'))).toEqual([{ warnings: [warning] }]);
    expect(await text('xml')).toContain(
      `<course><warnings type="array"><warning>${warning}</warning></warnings></course>`,
    );
    expect(await text('csv')).toBe(`"warnings"\r\n"[""${warning}""]"\r\n`);
  });

  it('writes a list as JSON, XML and CSV', async () => {
    const { metadata, warnings: _, ...json } = sampleCourse;
    expect(await (await gateway.get(`/course.json?${key}`)).json()).toEqual([json]);
    const xml = await (await gateway.get(`/course.xml?${key}`)).text();
    expect(xml).toContain('<courses type="array"><course>');
    expect(xml).toContain('<sc-course-id>knots</sc-course-id>');
    expect(xml).toContain(`<metadata>${metadata}</metadata>`);
    const csv = await (await gateway.get(`/course.csv?${key}`)).text();
    expect(csv.split('\r\n')[0]).toBe(Object.keys(json).join(','));
  });

  it('returns an empty list with 200 when nothing matches', async () => {
    gateway.contexts.courses = async () => ({ items: [], next: null });
    const response = await gateway.get(`/course.json?${key}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe('[]');
  });

  it('shows the fields of `fields` or of a field set, and returns 500 for unknown ones', async () => {
    const fields = await gateway.get(`/course.json?fields=title,course-guid&${key}`);
    expect(await fields.json()).toEqual([{ course_guid: 'knots', title: 'Knots & ropes' }]);
    const minimum = await gateway.get(`/course.json?template=public_minimum&${key}`);
    expect(Object.keys(((await minimum.json()) as object[])[0] ?? {})).toEqual([
      'id',
      'course_guid',
      'title',
    ]);
    expect(await gateway.statusOf(`/course.json?fields=color&${key}`)).toBe(500);
    expect(await gateway.statusOf(`/course.json?template=secret&${key}`)).toBe(500);
  });

  it('wraps JSON in the JSONP callback, and logs a secret sent to a browser', async () => {
    const response = await gateway.get(`/course.json?callback=app.show&fields=id&${key}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/javascript/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('strict-transport-security')).toBeNull();
    expect(await response.text()).toBe('/**/app.show([{"id":3}]);');
    expect(await gateway.statusOf(`/course.json?callback=alert(1)&${key}`)).toBe(500);
    await gateway.get(`/course?callback=app.show&${realm}`);
    expect(gateway.lines().map((line) => line['msg'])).toContain('a secret was sent to a browser');
  });
});
