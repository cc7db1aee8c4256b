import { buildSamplePackage } from '@registrar/sample-courses';
import { sql } from '@registrar/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { makeManifest, makeZip, renameInZip, smallestPackage } from '../testing/make-package.ts';

describe('the import of a package', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  it('creates a course from a SCORM 1.2 package', async () => {
    const zip = await buildSamplePackage('first-aid-basics');
    const job = await client.import('first-aid', zip);
    expect(job).toMatchObject({
      status: 'COMPLETE',
      message: 'The package was imported.',
      importResult: {
        parserWarnings: [],
        course: {
          id: 'first-aid',
          title: 'First aid basics',
          version: 0,
          size: zip.length,
          courseLearningStandard: 'SCORM12',
          metadata: { keywords: expect.any(Array) },
          rootActivity: { activityType: 'AGGREGATION', children: [{ activityType: 'SCO' }] },
        },
      },
    });
  });

  it('creates a course from a SCORM 2004 package', async () => {
    const job = await client.import('fire-safety', await buildSamplePackage('fire-safety'));
    expect(job).toMatchObject({
      status: 'COMPLETE',
      importResult: {
        course: {
          courseLearningStandard: 'SCORM20044THEDITION',
          rootActivity: { children: [{ activityType: 'SCO' }, { activityType: 'SCO' }] },
        },
      },
    });
  });

  it('stores every byte of every file, including files of many pieces', async () => {
    const video = Buffer.alloc(3_000_000);
    for (let at = 0; at < video.length; at += 4) video.writeUInt32LE((at * 2654435761) >>> 0, at);
    const zip = await makeZip({
      'imsmanifest.xml': makeManifest(
        '<item identifier="item" identifierref="page"><title>Page</title></item>',
        '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>',
      ),
      'page.html': 'page',
      'empty.txt': '',
      'video.mp4': video,
      ...Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`many/${n}.txt`, `${n}`])),
    });
    expect(await client.import('files', zip)).toMatchObject({ status: 'COMPLETE' });
    const files = await fixture.database.many(
      z.object({ path: z.string(), size: z.number(), bytes: z.instanceof(Buffer) }),
      sql`SELECT f.path, f.size, coalesce(string_agg(p.bytes, '' ORDER BY p.index), '') AS bytes
          FROM courses AS c
          JOIN course_versions AS v ON v.course = c.id
          JOIN package_files AS f ON f.course_version = v.id
          LEFT JOIN package_pieces AS p ON p.file = f.id
          WHERE c.course_id = 'files' AND f.encoding = 'identity' GROUP BY f.id`,
    );
    const content = new Map(files.map(({ path, bytes }) => [path, bytes]));
    expect(files.every(({ size, bytes }) => size === bytes.length)).toBe(true);
    expect(content.size).toBe(704);
    expect(content.get('video.mp4')?.equals(video)).toBe(true);
    expect(content.get('empty.txt')?.length).toBe(0);
    expect(content.get('many/699.txt')?.toString()).toBe('699');
  });

  it('stores files that gain by it compressed by brotli and gzip too', async () => {
    const script = Array.from({ length: 60_000 }, (_, n) => `answers.push(${n * 7919});\n`).join(
      '',
    );
    const zip = await makeZip({
      'imsmanifest.xml': makeManifest(
        '<item identifier="item" identifierref="page"><title>Page</title></item>',
        '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>',
      ),
      'page.html': '<p>Short</p>',
      'SCRIPT.JS': script,
      'photo.png': 'a'.repeat(5_000),
      'random.txt': randomBytes(5_000),
    });
    expect(await client.import('compressed', zip)).toMatchObject({ status: 'COMPLETE' });
    const files = await fixture.database.many(
      z.object({ path: z.string(), encoding: z.string(), bytes: z.instanceof(Buffer) }),
      sql`SELECT f.path, f.encoding, string_agg(p.bytes, '' ORDER BY p.index) AS bytes
          FROM courses AS c
          JOIN course_versions AS v ON v.course = c.id
          JOIN package_files AS f ON f.course_version = v.id
          JOIN package_pieces AS p ON p.file = f.id
          WHERE c.course_id = 'compressed' AND f.path <> 'imsmanifest.xml'
          GROUP BY f.id ORDER BY f.id`,
    );
    expect(files.map(({ path, encoding }) => `${path} ${encoding}`)).toEqual([
      'page.html identity',
      ...['SCRIPT.JS identity', 'SCRIPT.JS br', 'SCRIPT.JS gzip'],
      'photo.png identity',
      'random.txt identity',
    ]);
    const [, identity, br, gzip] = files.map(({ bytes }) => bytes);
    for (const bytes of [identity!, brotliDecompressSync(br!), gunzipSync(gzip!)]) {
      expect(bytes.toString()).toBe(script);
    }
  });

  it('returns 409 for an existing course, and creates a version with mayCreateNewVersion', async () => {
    await client.import('twice', await smallestPackage('First'));
    expect(await client.upload('twice', await smallestPackage('Second'))).toMatchObject({
      status: 409,
      body: { message: 'Course [twice] already exists, and mayCreateNewVersion is false.' },
    });
    expect(
      await client.import('twice', await smallestPackage('Third'), { mayCreateNewVersion: 'true' }),
    ).toMatchObject({
      status: 'COMPLETE',
      importResult: { course: { title: 'Third', version: 1 } },
    });
  });

  it('creates one course from concurrent identical uploads', async () => {
    const zip = await smallestPackage();
    const jobs = await Promise.all([client.import('race', zip), client.import('race', zip)]).catch(
      // The second upload may be rejected at once, if the course exists by then.
      (error: Error) => error.message,
    );
    if (typeof jobs !== 'string') {
      expect(jobs.map(({ status }) => status).sort()).toEqual(['COMPLETE', 'ERROR']);
    } else {
      expect(jobs).toContain('the upload returned 409');
    }
    expect((await client.get('courses/race/versions')).body).toMatchObject({
      courses: [{ version: 0 }],
    });
  });

  it('numbers the versions of concurrent uploads without a gap', async () => {
    const zip = await smallestPackage();
    const may = { mayCreateNewVersion: 'true' };
    await Promise.all([1, 2, 3, 4].map(() => client.import('racing-versions', zip, may)));
    const { body } = await client.get<{ courses: { version: number }[] }>(
      'courses/racing-versions/versions',
    );
    expect(body.courses.map(({ version }) => version)).toEqual([3, 2, 1, 0]);
  });

  describe('of a malformed package', () => {
    const manifest = makeManifest(
      '<item identifier="item" identifierref="page"><title>Page</title></item>',
      '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>',
    );
    const withEntry = async (name: string) => {
      const innocent = 'n'.repeat(name.length);
      const zip = await makeZip({ 'imsmanifest.xml': manifest, 'page.html': '', [innocent]: 'x' });
      return renameInZip(zip, innocent, name);
    };
    const withEntryCount = (zip: Buffer, count: number) => {
      zip.writeUInt16LE(count, zip.length - 12);
      return zip;
    };
    const malformed: Record<string, [() => Promise<Uint8Array>, string]> = {
      'not a zip file': [async () => Buffer.from('no zip'), 'The package is not a zip file'],
      'an empty file': [async () => Buffer.alloc(0), 'The package is not a zip file'],
      'a path out of the package': [() => withEntry('../evil.html'), 'out of it: ../evil.html'],
      'a path out of the package with backslashes': [
        () => withEntry('..\\evil.html'),
        'leads out of it: ../evil.html',
      ],
      'an absolute path': [() => withEntry('/etc/evil'), 'absolute path: /etc/evil'],
      'a symbolic link': [
        () => makeZip({ 'imsmanifest.xml': '/etc/passwd' }, 0o120777),
        'a link or special file: imsmanifest.xml',
      ],
      'no manifest': [() => makeZip({ 'page.html': '' }), 'contains no imsmanifest.xml'],
      'a manifest in a folder': [
        () => makeZip({ 'course/imsmanifest.xml': manifest }),
        'imsmanifest.xml must be at its root',
      ],
      'a manifest that is not XML': [
        () => makeZip({ 'imsmanifest.xml': '<manifest>' }),
        'imsmanifest.xml is not well-formed XML',
      ],
      'a manifest that launches a missing file': [
        () => makeZip({ 'imsmanifest.xml': manifest }),
        'The manifest launches page.html, which the package does not contain.',
      ],
      'a file with a high compression ratio': [
        () => makeZip({ 'imsmanifest.xml': manifest, 'page.html': Buffer.alloc(5_000_000) }),
        'The compression ratio of the file page.html is too high',
      ],
      'too many files': [
        async () => withEntryCount(await smallestPackage(), 20_001),
        'contains more than 20000 files',
      ],
    };

    it.each(Object.entries(malformed))(
      'rejects %s with a message and stores nothing',
      async (_, [make, why]) => {
        const stored = async () =>
          fixture.database.one(
            z.record(z.enum(['courses', 'versions', 'files', 'pieces']), z.number()),
            sql`SELECT (SELECT count(*) FROM courses) AS courses,
                       (SELECT count(*) FROM course_versions) AS versions,
                       (SELECT count(*) FROM package_files) AS files,
                       (SELECT count(*) FROM package_pieces) AS pieces`,
          );
        const before = await stored();
        const job = await client.import('malformed', await make());
        expect(job).toEqual({
          jobId: job.jobId,
          status: 'ERROR',
          message: expect.stringContaining(why),
          findings: expect.arrayContaining([
            expect.objectContaining({ severity: 'error', message: job.message }),
          ]),
        });
        expect(job.message).not.toContain('\n');
        expect((await client.get('courses/malformed')).status).toBe(404);
        expect(await stored()).toEqual(before);
      },
    );

    it('stores nothing if a file cannot be decompressed', async () => {
      const zip = await makeZip({
        'imsmanifest.xml': manifest,
        'page.html': 'x'.repeat(100_000),
      });
      // Overwrites the compressed data, which follow the file's local header.
      const page = zip.indexOf('page.html');
      zip.fill(0xff, page + 20, page + 60);
      expect(await client.import('broken', zip)).toMatchObject({
        status: 'ERROR',
        message: 'The package is a broken zip file.',
      });
      expect((await client.get('courses/broken')).status).toBe(404);
    });
  });
});
