import { fetchAtLocalhost } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { putApplication } from '@registrar/contracts';
import { type Sql, sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  awaitsBrowser,
  hashSecret,
  hashToken,
  isLaunchOf,
  isOfActiveApplication,
  isOpenContent,
  isOpenLaunch,
  isOpenPreview,
  isSecretOf,
  isStillAccepted,
  isVersionOfActiveApplication,
  ownedBy,
  parseAuthorization,
} from './access-rules.ts';
import { type LaunchesFixture, startLaunchesFixture } from './launches/launches.fixture.ts';
import type { RequestedHost } from './origins/content-origins.ts';
import { Client } from './provider.fixture.ts';
import { smallestPackage } from './testing/make-package.ts';

describe('parseAuthorization', () => {
  const header = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

  it('splits the credentials at the first colon', () => {
    expect(parseAuthorization(header('app:key'))).toEqual({ appId: 'app', secretKey: 'key' });
    expect(parseAuthorization(header('app:k:ey'))).toEqual({ appId: 'app', secretKey: 'k:ey' });
    expect(parseAuthorization(header('app:'))).toEqual({ appId: 'app', secretKey: '' });
    expect(parseAuthorization(header('ä:ö'))).toEqual({ appId: 'ä', secretKey: 'ö' });
  });

  it('accepts the scheme in any case, and spaces around the credentials', () => {
    const spaced = header('app:key').replace(' ', '  ').concat('  ');
    expect(parseAuthorization(spaced)).toEqual({ appId: 'app', secretKey: 'key' });
    const lowerCase = header('app:key').replace('Basic', 'basic');
    expect(parseAuthorization(lowerCase)).toEqual({ appId: 'app', secretKey: 'key' });
  });

  it('accepts an access token of the scheme Bearer', () => {
    expect(parseAuthorization('Bearer v2.ab-c_.D~+/e==')).toEqual({ token: 'v2.ab-c_.D~+/e==' });
    expect(parseAuthorization('bearer  abc ')).toEqual({ token: 'abc' });
  });

  it.each([
    'Basic',
    'Basic !',
    'Bearer',
    'Bearer a b',
    'Bearer =',
    'xBearer abc',
    `x${header('app:key')}`,
    `${header('app:key')} x`,
    header('no colon'),
    header(':key'),
    '',
  ])('returns null for %j', (malformed) => {
    expect(parseAuthorization(malformed)).toBeNull();
  });
});

describe('isSecretOf', () => {
  const of = (secretKey: string) => ({ appId: 'app', secretKey });

  it('accepts only the secret key of the hash', () => {
    expect(isSecretOf(of('key'), hashSecret('key'))).toBe(true);
    expect(isSecretOf(of('key '), hashSecret('key'))).toBe(false);
    expect(isSecretOf(of(''), hashSecret('key'))).toBe(false);
  });

  it('accepts only the hash of an access token that is that of the secret key', () => {
    const token = (secretKey: string) => ({
      appId: 'app',
      secretHash: hashSecret(secretKey),
      scopes: [],
    });
    expect(isSecretOf(token('key'), hashSecret('key'))).toBe(true);
    expect(isSecretOf(token('other'), hashSecret('key'))).toBe(false);
    expect(isSecretOf(token(''), null)).toBe(false);
  });

  it('rejects every secret key of an unknown application', () => {
    expect(isSecretOf(of(''), null)).toBe(false);
    expect(isSecretOf(of('key'), null)).toBe(false);
  });
});

describe('the SQL conditions of access', () => {
  const text = (condition: Sql) => condition.text.replaceAll(/\s+/g, ' ');
  const active =
    'NOT EXISTS ( SELECT FROM registrations AS paused JOIN applications AS a ' +
    'ON a.id = paused.application_id WHERE paused.id = l.registration AND a.is_paused )';
  const activeVersion =
    'NOT EXISTS ( SELECT FROM course_versions AS paused JOIN courses AS c ON c.id = paused.course ' +
    'JOIN applications AS a ON a.id = c.application_id ' +
    'WHERE paused.id = l.course_version AND a.is_paused )';
  const label =
    'coalesce(l.origin_label, ( SELECT r.origin_label FROM registrations AS r WHERE r.id = l.registration ))';
  const host = { label: 'label-1' };
  const window = { token: 'token', host, cookie: 'cookie', address: '192.0.2.1' };
  const reachable =
    `l.token_hash = $1 AND ${label}::text = $2 AND l.expires_at > now() ` +
    'AND (l.client_address IS NULL OR l.client_address = $3::inet)';
  const reach = [hashToken('token'), 'label-1', '192.0.2.1'];
  const at = (other: RequestedHost) => isLaunchOf({ token: 'token', host: other });

  it('the SQL conditions of access serve a launch at the host of its registration, at none of the API, and at a shared one', () => {
    expect(text(at(host))).toBe(`l.token_hash = $1 AND ${label}::text = $2`);
    expect(at(host).values).toEqual([hashToken('token'), 'label-1']);
    expect(text(at('api'))).toBe('l.token_hash = $1 AND false');
    expect(text(at('shared'))).toBe('l.token_hash = $1 AND true');
  });

  it('the SQL conditions of access limit rows to the application, and let it in with its secret keys until they expire', () => {
    expect(ownedBy({ id: 7 }, 'c')).toMatchObject({ text: 'c.application_id = $1', values: [7] });
    const secretHash = hashSecret('key');
    const now = new Date('2030-01-02T03:04:05Z');
    vi.spyOn(clock, 'date').mockReturnValue(now);
    const accepted = isStillAccepted({ id: 7, appId: 'app', secretHash });
    vi.restoreAllMocks();
    expect(text(accepted)).toBe(
      'a.id = $1 AND NOT a.is_paused AND ( a.secret_hash = $2 ' +
        'OR (a.previous_secret_hash = $3 AND a.previous_valid_until > $4) )',
    );
    expect(accepted.values).toEqual([7, secretHash, secretHash, now]);
  });

  it('the SQL conditions of access open a launch to the browser and the address that it demands, until it ends or the application is paused', () => {
    const open = isOpenLaunch(window);
    expect(text(open)).toBe(
      `${reachable} AND (NOT l.needs_cookie OR l.cookie_hash = $4::bytea) ` +
        `AND ${active} AND ${activeVersion}`,
    );
    expect(open.values).toEqual([...reach, hashToken('cookie')]);
    expect(isOpenLaunch({ ...window, cookie: null, address: null }).values).toEqual([
      ...reach.slice(0, 2),
      null,
      null,
    ]);
  });

  it('the SQL conditions of access wait for the browser of a launch that demands a cookie, until one has it', () => {
    const awaited = awaitsBrowser(window);
    expect(text(awaited)).toBe(`${reachable} AND l.needs_cookie AND l.cookie_hash IS NULL`);
    expect(awaited.values).toEqual(reach);
  });

  it('the SQL conditions of access open the files of a course by the key of its registration, while a launch is open', () => {
    const content = isOpenContent({ of: 'registration', id: 3, key: 'key', host });
    expect(text(content)).toBe(
      'r.id = $1 AND r.content_key::text = $2 AND r.origin_label::text = $3 ' +
        'AND EXISTS (SELECT FROM launches AS l WHERE l.registration = r.id AND l.expires_at > now()) ' +
        `AND ${active.replace('l.registration', 'r.id')}`,
    );
    expect(content.values).toEqual([3, 'key', 'label-1']);
  });

  it('the SQL conditions of access open the files of a preview by its own key, until it ends', () => {
    const preview = isOpenPreview({ of: 'preview', id: 3, key: 'key', host });
    expect(text(preview)).toBe(
      'l.id = $1 AND l.content_key::text = $2 AND l.origin_label::text = $3 ' +
        `AND l.expires_at > now() AND ${activeVersion}`,
    );
    expect(preview.values).toEqual([3, 'key', 'label-1']);
  });

  it('the SQL conditions of access are of the registration and the course version that they are given', () => {
    expect(text(isOfActiveApplication(sql`l.registration`))).toBe(active);
    expect(text(isVersionOfActiveApplication(sql`l.course_version`))).toBe(activeVersion);
  });
});

describe('access to the provider', () => {
  let fixture: LaunchesFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    client = fixture.client;
  });
  afterAll(() => fixture?.stop());

  const anotherClient = (): Promise<Client> => fixture.provider.client();

  it('returns 401 without credentials on every path of the API', async () => {
    for (const path of ['ping', 'courses', 'registrations', 'courses/importJobs/1']) {
      const response = await fetch(`${fixture.provider.url}/api/v2/${path}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="provider"');
      const message = 'Authorization Required.';
      expect(await response.json()).toEqual({ message, error: message });
    }
  });

  it('returns 401 for wrong or malformed credentials', async () => {
    const { url } = fixture.provider;
    const wrong = [
      new Client(url, client.appId, 'wrong'),
      new Client(url, client.appId, ''),
      new Client(url, client.appId, `${client.secretKey} `),
      new Client(url, 'nobody', client.secretKey),
      new Client(url, '', client.secretKey),
      new Client(url, client.appId.toUpperCase(), client.secretKey),
    ];
    for (const stranger of wrong) {
      expect(await stranger.get('ping')).toMatchObject({
        status: 401,
        body: { message: 'The application id or the secret key is wrong.' },
      });
    }
    for (const authorization of ['Basic', 'Basic !', 'Bearer abc', 'Basic YWJj']) {
      const { status } = await client.send('ping', { headers: { authorization } });
      expect(status).toBe(401);
    }
  });

  it('accepts only the newest secret key of an application', async () => {
    const changed = await anotherClient();
    const secretKey = 'a new key, long enough';
    const renewed = new Client(fixture.provider.url, changed.appId, secretKey);
    const { appId } = changed;
    await fixture.provider.bus.request(putApplication, {
      appId,
      secretKey,
      name: 'Renewed',
      registrationLimit: null,
    });
    expect((await changed.get('ping')).status).toBe(401);
    expect((await renewed.get('ping')).status).toBe(200);
  });

  it('lets an application reach only its own courses and import jobs', async () => {
    const [mine, theirs] = [await anotherClient(), await anotherClient()];
    await mine.import('same', await smallestPackage('Title of same'));
    await mine.import('mine', await smallestPackage());
    await theirs.import('same', await smallestPackage());
    const idsOf = async (owner: Client) => {
      const { body } = await owner.get<{ courses: { id: string }[] }>('courses');
      return body.courses.map(({ id }) => id);
    };
    expect(await idsOf(theirs)).toEqual(['same']);
    expect((await theirs.get('courses/mine')).status).toBe(404);
    expect((await theirs.get('courses/mine/versions')).status).toBe(404);
    expect((await theirs.sendJson('PUT', 'courses/mine/title', { title: 'x' })).status).toBe(404);
    expect((await theirs.delete('courses/mine')).status).toBe(404);
    await theirs.sendJson('PUT', 'courses/same/title', { title: 'Theirs' });
    expect((await mine.get('courses/same')).body).toMatchObject({ title: 'Title of same' });
    const { body } = await mine.upload('mine-2', await smallestPackage());
    expect((await theirs.get(`courses/importJobs/${body.result}`)).status).toBe(404);
    expect((await mine.get<{ more?: string }>('courses')).body.more).toBeUndefined();
  });

  it('lets an application reach only its own registrations', async () => {
    const [mine, theirs] = [await anotherClient(), await anotherClient()];
    for (const owner of [mine, theirs]) await owner.import('course', await smallestPackage());
    const id = await mine.register('course');
    const idsOf = async (owner: Client, query: Record<string, string> = {}) => {
      const { body } = await owner.get<{ registrations: { id: string }[] }>('registrations', query);
      return body.registrations.map((registration) => registration.id);
    };
    const create = (owner: Client, registrationId: string, courseId = 'course') =>
      owner.sendJson('POST', 'registrations', {
        courseId,
        registrationId,
        learner: { id: 'learner@example.com' },
      });
    expect(await idsOf(theirs)).toEqual([]);
    expect(await idsOf(theirs, { courseId: 'course' })).toEqual([]);
    for (const path of [id, `${id}/instances`, `${id}/launchHistory`]) {
      expect((await theirs.get(`registrations/${path}`)).status).toBe(404);
    }
    expect((await theirs.send(`registrations/${id}`, { method: 'HEAD' })).status).toBe(404);
    expect((await theirs.sendJson('POST', `registrations/${id}/launchLink`, {})).status).toBe(404);
    expect((await theirs.delete(`registrations/${id}/progress`)).status).toBe(404);
    expect((await theirs.delete(`registrations/${id}`)).status).toBe(404);
    expect((await theirs.delete(`registrations/${id}/launches`)).status).toBe(404);
    // Ids are unique within an application only.
    expect((await create(theirs, id)).status).toBe(204);
    expect((await theirs.delete(`registrations/${id}`)).status).toBe(204);
    expect(await idsOf(mine)).toEqual([id]);
    expect((await create(theirs, 'another', 'course 2')).status).toBe(404);
  });

  it('lets a course window reach only the files of its course version', async () => {
    const window = await fixture.open(await fixture.register());
    expect((await window.get('content/video.mp4')).status).toBe(200);
    for (const path of [
      'content/',
      'content/missing.html',
      'content/..%2Fcontent%2Fvideo.mp4',
      'content/..%2f..%2f..%2fpackage.json',
      'content/%2Fetc%2Fpasswd',
      'content/video.mp4%00.html',
    ]) {
      expect([path, (await window.get(path)).status]).toEqual([path, 404]);
    }
    const { href } = window.url('content/video.mp4');
    const [, registration = '', key = ''] = /content\/(\d+)\/([^/]+)/.exec(href) ?? [];
    const otherWindow = await fixture.open(await fixture.register());
    const [, otherKey = ''] = /content\/\d+\/([^/]+)/.exec(otherWindow.url('content/').href) ?? [];
    for (const address of [
      href.replace(key, randomUUID()),
      href.replace(key, otherKey),
      href.replace(key, 'no-key'),
      href.replace(`/${registration}/`, `/${Number(registration) + 1}/`),
      href.replace(`/${registration}/`, `/${'9'.repeat(30)}/`),
      href.replace(`/${registration}/`, '/x/'),
    ]) {
      expect([address, (await fetchAtLocalhost(address)).status]).toEqual([address, 404]);
    }
  });
});
