import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  appendPackagePiece,
  checkPackage,
  type CourseRecord,
  createCourse,
  discardUpload,
  Failure,
  indexCourses,
  type PackageFinding,
} from '@registrar/contracts';
import { currentRequestContext } from '@registrar/platform';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  foreignRealm,
  ownRealm,
  startConsoleFixture,
} from '../console.fixture.ts';
import { sailing } from '../courses/courses.fixture.ts';
import { operatorRoles, type RealmRole, realmRole } from '../sessions/roles.ts';
import type { UploadNews } from './upload-news.ts';

const finding: PackageFinding = {
  severity: 'warning',
  file: 'imsmanifest.xml',
  line: 3,
  rule: 'unknown-resource',
  message: 'The resource is unknown.',
  remedy: 'Declare it.',
};

let console: ConsoleFixture;
let stored: CourseRecord[] = [];
const asked = {
  pieces: [] as InputOf<typeof appendPackagePiece>[],
  checks: [] as InputOf<typeof checkPackage>[],
  creates: [] as (InputOf<typeof createCourse> & { readonly user: string | undefined })[],
  discards: [] as InputOf<typeof discardUpload>[],
};
/** What the contexts do with a piece, in a check and at a create, before they reply. */
const unhindered = {
  piece: async (): Promise<void> => undefined,
  check: async (): Promise<void> => undefined,
  create: async (): Promise<void> => undefined,
};
let before = unhindered;

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      catalog: [
        stubReply(indexCourses, async () => ({ items: stored, next: null })),
        stubReply(appendPackagePiece, async (input) => {
          asked.pieces.push(input);
          await before.piece();
          return {};
        }),
        stubReply(createCourse, async (input) => {
          asked.creates.push({ ...input, user: currentRequestContext()?.consoleUser });
          await before.create();
          return sailing;
        }),
        stubReply(discardUpload, async (input) => {
          asked.discards.push(input);
          return {};
        }),
      ],
      provider: [
        stubReply(checkPackage, async (input) => {
          asked.checks.push(input);
          await before.check();
          return { findings: [finding] };
        }),
      ],
    },
  });
});
beforeEach(() => {
  [stored, before] = [[], unhindered];
});
afterEach(async () => {
  // Discarding an upload is not awaited by its response.
  const isDiscarded = ({ uploadId }: { readonly uploadId: string }) =>
    asked.discards.some((discard) => discard.uploadId === uploadId);
  await expect.poll(() => asked.pieces.every(isDiscarded)).toBe(true);
  for (const requests of Object.values(asked)) requests.length = 0;
});
afterAll(() => console.stop());

const path = (query: Readonly<Record<string, string>>) =>
  `/api/uploads/course?${new URLSearchParams({ realm: ownRealm, ...query }).toString()}`;
const ownHeaders = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/zip' };

async function upload(
  query: Readonly<Record<string, string>> = {},
  body: Buffer = Buffer.from('PK'),
  role: RealmRole = 'author',
) {
  const cookie = await console.signIn({ operator: false, realms: { [ownRealm]: role } });
  const headers = { ...ownHeaders, ...cookie };
  return console.fetch(path(query), { method: 'POST', body: new Uint8Array(body), headers });
}

const newsOf = async (response: Response): Promise<UploadNews[]> =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as UploadNews);

/** Begins an upload, of which the rest is yet to be sent. */
async function begin(cookie: { readonly cookie: string }) {
  const headers = { ...ownHeaders, ...cookie };
  const request = httpRequest(console.base + path({}), { method: 'POST', headers });
  const response = Promise.withResolvers<{ status: number | undefined; body: string }>();
  response.promise.catch(() => undefined);
  request.on('response', (message) => {
    void text(message).then(
      (body) => response.resolve({ status: message.statusCode, body }),
      response.reject,
    );
  });
  request.on('error', response.reject);
  request.write(Buffer.alloc(600 * 1024));
  return { request, response: response.promise };
}

describe('the upload of a course', () => {
  it('a package reaches the catalog in pieces, is checked, and becomes a course of the user', async () => {
    const bytes = Buffer.concat([Buffer.alloc(512 * 1024, 'a'), Buffer.from('rest')]);
    const response = await upload({ course: 'sailing', title: 'Sails' }, bytes);
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await newsOf(response)).toEqual([
      { stage: 'checking' },
      { stage: 'importing' },
      { course: { guid: 'sailing', title: 'Sailing' }, findings: [finding] },
    ]);
    expect(asked.pieces.map(({ index }) => index)).toEqual([0, 1]);
    const sent = asked.pieces.map((piece) => Buffer.from(piece.bytes, 'base64'));
    expect(Buffer.concat(sent).equals(bytes)).toBe(true);
    const { uploadId } = asked.pieces[0]!;
    expect(asked.checks).toMatchObject([{ uploadId }]);
    expect(asked.creates).toMatchObject([
      {
        user: 'ada@example.com',
        applicationId: 1,
        title: 'Sails',
        source: { kind: 'package', uploadId, courseGuid: 'sailing' },
        scope: { mode: 'realm', permissions: ['read', 'write', 'launch'] },
      },
    ]);
  });

  it('a package that the provider refuses is reported with its findings', async () => {
    const findings = [{ ...finding, severity: 'error' as const }];
    before = {
      ...unhindered,
      create: async () => {
        throw new Failure('invalid', 'the package is refused', undefined, { findings });
      },
    };
    expect((await newsOf(await upload())).at(-1)).toMatchObject({
      failure: { code: 'invalid', message: 'the package is refused' },
      findings,
    });
  });

  it('a package is imported when it cannot be checked', async () => {
    before = {
      ...unhindered,
      check: async () => {
        throw new Failure('overloaded', 'too many packages');
      },
    };
    const news = await newsOf(await upload());
    expect(news.at(-1)).toMatchObject({ course: { guid: 'sailing' }, findings: null });
  });

  it('a package of too many bytes is refused with the reason of the catalog', async () => {
    before = {
      ...unhindered,
      piece: async () => {
        throw new Failure('invalid', 'the package is larger than 7 bytes');
      },
    };
    const response = await upload();
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'the package is larger than 7 bytes' });
    expect(asked.creates).toEqual([]);
  });

  it('a new version goes to the provider application of its course', async () => {
    stored = [sailing];
    await newsOf(await upload({ versionOf: 'sailing' }));
    expect(asked.creates).toMatchObject([{ applicationId: 1, source: { courseGuid: 'sailing' } }]);
  });

  it('a new version of an unknown course is refused', async () => {
    expect((await upload({ versionOf: 'sailing' })).status).toBe(404);
    expect(asked.pieces).toEqual([]);
  });

  it('a new course does not become a version of another one by its GUID', async () => {
    stored = [sailing];
    const response = await upload({ course: 'sailing' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('this GUID') });
    expect(asked.pieces).toEqual([]);
  });

  it('a provider application of another realm is refused', async () => {
    expect((await upload({ application: '2' })).status).toBe(403);
    expect(asked.pieces).toEqual([]);
  });

  it('an upload that its client cancels is discarded', async () => {
    const { request, response } = await begin(await console.signIn(operatorRoles));
    await expect.poll(() => asked.pieces.length).toBe(1);
    request.destroy();
    await expect(response).rejects.toThrow();
    await expect.poll(() => asked.discards.length).toBe(1);
    expect(asked.creates).toEqual([]);
  });

  it('an upload that its client cancels during the check is not imported', async () => {
    const check = Promise.withResolvers<void>();
    before = { ...unhindered, check: () => check.promise };
    const { request, response } = await begin(await console.signIn(operatorRoles));
    request.end();
    await expect.poll(() => asked.checks.length).toBe(1);
    request.destroy();
    await expect(response).rejects.toThrow();
    check.resolve();
    await expect.poll(() => asked.discards.length).toBe(1);
    expect(asked.creates).toEqual([]);
  });

  it('an upload ends with its session', async () => {
    const cookie = await console.signIn(operatorRoles, 'grace@example.com');
    const { request, response } = await begin(cookie);
    await expect.poll(() => asked.pieces.length).toBe(1);
    await console.post('/api/sign-out', {}, cookie);
    request.end(Buffer.alloc(512 * 1024));
    expect(await response).toMatchObject({ status: 401 });
    expect(asked.creates).toEqual([]);
  });

  it('a realm has a share of the uploads that run at a time', async () => {
    const piece = Promise.withResolvers<void>();
    before = { ...unhindered, piece: () => piece.promise };
    const cookie = await console.signIn(operatorRoles);
    const all = await Promise.all(Array.from({ length: 10 }, () => begin(cookie)));
    const first = await Promise.race(all.map(({ response }) => response));
    expect(first).toMatchObject({ status: 503 });
    expect(JSON.parse(first.body)).toMatchObject({ code: 'over-limit', retryAfterSeconds: 5 });
    piece.resolve();
    for (const { request } of all) request.end();
    const ends = await Promise.all(all.map(({ response }) => response));
    expect(ends.filter(({ status }) => status === 200).length).toBeGreaterThan(4);
    expect((await newsOf(await upload())).at(-1)).toHaveProperty('course');
  });
});

describe('who may upload courses', () => {
  it.each(['operator', ...realmRole.options])(
    'an upload is refused unless the role %s reaches the realm as an author',
    async (user) => {
      const realms = { [ownRealm]: user as RealmRole };
      const roles = user === 'operator' ? operatorRoles : { operator: false, realms };
      const headers = { ...ownHeaders, ...(await console.signIn(roles)) };
      for (const realm of [ownRealm, foreignRealm, '__proto__', '']) {
        const given = path({ realm, application: 'malformed' });
        const response = await console.fetch(given, { method: 'POST', body: 'PK', headers });
        const { code } = (await response.json()) as { code: string };
        const isAuthor = ['author', 'administrator'].includes(user) && realm === ownRealm;
        expect(code).toBe(user === 'operator' || isAuthor ? 'invalid' : 'unauthenticated');
      }
      expect(asked.pieces).toEqual([]);
    },
  );

  it('an upload is refused without a session', async () => {
    for (const cookie of ['', 'registrar_console=', `registrar_console=${'a'.repeat(43)}`]) {
      const headers = { ...ownHeaders, cookie };
      const response = await console.fetch(path({}), { method: 'POST', body: 'PK', headers });
      expect(response.status).toBe(401);
    }
    expect(asked.pieces).toEqual([]);
  });

  it('an upload of another site is refused', async () => {
    const { cookie } = await console.signIn(operatorRoles);
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { ...ownHeaders, cookie, 'sec-fetch-site': site };
      const response = await console.fetch(path({}), { method: 'POST', body: 'PK', headers });
      expect(response.status).toBe(403);
    }
    expect(asked.pieces).toEqual([]);
  });
});
