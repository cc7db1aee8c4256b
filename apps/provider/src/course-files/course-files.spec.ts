import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDescriptor, makeManifest, makeZip, smallestPackage } from '../testing/make-package.ts';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { openPackage } from '../packages/open-package.ts';
import { packageLimits } from '../packages/package-limits.ts';

const video = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));

const manifest = makeManifest(
  '<item identifier="item" identifierref="page"><title>Page</title></item>',
  '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="a b/page.html"/>',
);
const files = {
  'a b/größe.css': 'p { color: green; }',
  'a b/page.html': '<!doctype html><title>Page</title>',
  'empty.txt': '',
  'imsmanifest.xml': manifest,
  'video.mp4': video,
};

describe('files of courses', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
    await client.import('course', await smallestPackage());
    await client.import('course', await makeZip(files), { mayCreateNewVersion: 'true' });
  });
  afterAll(() => fixture?.stop());

  const download = async (path: string, owner = client): Promise<Response> =>
    fetch(`${fixture.url}/api/v2/${path}`, { headers: { authorization: owner.authorization } });

  it('lists the files of the newest version of a course, or of one that is named', async () => {
    const { body } = await client.get('courses/course/asset/list');
    expect(body).toEqual({
      files: Object.entries(files).map(([path, content]) => ({
        path,
        size: Buffer.byteLength(content),
        modified: expect.stringMatching(/Z$/),
      })),
    });
    expect((await client.get('courses/course/versions/0/asset/list')).body).toMatchObject({
      files: [{ path: 'imsmanifest.xml' }, { path: 'page.html' }],
    });
  });

  it('sends a file of a course as a download that no browser shows', async () => {
    const path = encodeURIComponent('a b/page.html');
    const response = await download(`courses/course/asset?relativePath=${path}`);
    expect(await response.text()).toBe(files['a b/page.html']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment',
      'cache-control': 'no-store',
    });
    const large = await download('courses/course/versions/1/asset?relativePath=video.mp4');
    expect(Buffer.from(await large.arrayBuffer()).equals(video)).toBe(true);
    const empty = await download('courses/course/asset?relativePath=empty.txt');
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  it('sends a course as a zip file that can be imported', async () => {
    const response = await download('courses/course/zip');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="course.zip"');
    const zip = Buffer.from(await response.arrayBuffer());
    await withDescriptor(zip, async (descriptor) => {
      const opened = await openPackage(descriptor, packageLimits);
      expect([...opened.sizes.keys()]).toEqual(Object.keys(files));
      expect((await opened.read('video.mp4', 1e6))?.equals(video)).toBe(true);
    });
    expect(await client.import('copy', zip)).toMatchObject({ status: 'COMPLETE' });
    const first = await download('courses/course/versions/0/zip');
    expect((await first.arrayBuffer()).byteLength).toBeLessThan(3_000);
  });

  it('returns 404 for files, courses and versions that do not exist, and for those of other applications', async () => {
    const other = await fixture.client();
    const message = async (path: string, owner = client) => {
      const { status, body } = await owner.get<{ message: string }>(path);
      return [status, body.message];
    };
    for (const path of ['asset/list', 'asset?relativePath=page.html', 'zip']) {
      expect(await message(`courses/unknown/${path}`)).toEqual([
        404,
        'Could not find course [unknown]',
      ]);
      expect(await message(`courses/course/versions/2/${path}`)).toEqual([
        404,
        'Could not find version 2 of course [course]',
      ]);
      expect(await message(`courses/course/${path}`, other)).toEqual([
        404,
        'Could not find course [course]',
      ]);
    }
    for (const path of ['missing.html', '../page.html', '/etc/passwd', 'a%20b']) {
      const [status] = await message(`courses/course/asset?relativePath=${path}`);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('returns 400 for a malformed version, and for a file without a path', async () => {
    expect(await client.get('courses/course/versions/x/zip')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('is not the number of a version') },
    });
    expect(await client.get('courses/course/asset')).toMatchObject({
      status: 400,
      body: { message: 'relativePath: is missing' },
    });
  });
});
