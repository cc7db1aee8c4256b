import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { smallestPackage } from '../testing/make-package.ts';
import {
  type CourseWindow,
  type LaunchesFixture,
  script,
  startLaunchesFixture,
  video,
} from './launches.fixture.ts';

describe('the files of a course', () => {
  let fixture: LaunchesFixture;
  let window: CourseWindow;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    window = await fixture.open(await fixture.register());
  });
  afterAll(() => fixture.stop());

  it('serves content with its media type, whatever characters its name has', async () => {
    for (const [path, type] of [
      ['content/a%20b/page.html?lang=en', 'text/html'],
      ['content/a%20b/gr%C3%B6%C3%9Fe.css', 'text/css'],
      ['content/video.mp4', 'video/mp4'],
    ] as const) {
      const answer = await window.get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    }
    const empty = await window.get('content/empty.txt');
    expect([empty.status, await empty.text()]).toEqual([200, '']);
  });

  it('serves content whole or in byte ranges', async () => {
    const whole = await window.get('content/video.mp4');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(Buffer.from(await whole.arrayBuffer()).equals(video)).toBe(true);
    const part = await window.get('content/video.mp4', { range: 'bytes=524280-524300' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 524280-524300/600000');
    expect(part.headers.get('content-length')).toBe('21');
    expect(Buffer.from(await part.arrayBuffer())).toEqual(video.subarray(524_280, 524_301));
    const beyond = await window.get('content/video.mp4', { range: 'bytes=600000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */600000']);
  });

  describe.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const)('accepted as %s', (accepted, encoding, decode) => {
    /** Requests the script, and does not decode the response. */
    const request = async (headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
      const response = await fetchAtLocalhost(window.url('content/script.js').href, {
        method,
        headers: { 'accept-encoding': accepted, ...headers },
      });
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), body };
    };

    it('serves content in that coding, whole or in ranges', async () => {
      const { headers, body } = await request();
      expect(headers).toMatchObject({
        'content-type': 'text/javascript',
        'content-length': String(body.length),
      });
      expect(headers['vary']).toContain('Accept-Encoding');
      expect(headers['content-encoding']).toBe(encoding);
      expect(body.length < script.length / 10).toBe(encoding !== undefined);
      expect(decode(body).toString()).toBe(script);

      const { etag = '' } = headers;
      const ranges = { range: 'bytes=10-19', 'if-range': etag };
      const part = await request(ranges);
      expect([part.status, part.body]).toEqual([206, body.subarray(10, 20)]);
      const total = `bytes 10-19/${body.length}`;
      expect(part.headers).toMatchObject({ etag, 'content-range': total });
      const ofAnother = await request({ ...ranges, 'if-range': '"another"' });
      expect([ofAnother.status, ofAnother.body]).toEqual([200, body]);
    });

    it('answers a HEAD request with the headers of that coding, and a conditional one with 304', async () => {
      const { headers, body } = await request();
      const { etag = '' } = headers;
      const head = await request({}, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers).toMatchObject({ etag, 'content-length': String(body.length) });
      for (const method of ['GET', 'HEAD']) {
        const known = await request({ 'if-none-match': `"another", W/${etag}` }, method);
        expect([known.status, known.body.length]).toEqual([304, 0]);
        expect(known.headers['etag']).toBe(etag);
      }
      expect((await request({ 'if-none-match': '"another"' })).status).toBe(200);
    });
  });

  it('gives each coding of a file a tag of its own', async () => {
    const tags = ['br', 'gzip', 'identity'].map(async (accepted) => {
      const { headers } = await window.get('content/script.js', { 'accept-encoding': accepted });
      return headers.get('etag');
    });
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  it('serves a file whose path differs in case alone, but no path with ..', async () => {
    const file = await window.get('content/VIDEO.MP4', { range: 'bytes=0-0' });
    expect([file.status, file.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    expect((await window.get('content/A%20B/Gr%C3%B6%C3%9Fe.css')).status).toBe(200);
    expect((await window.get('content/a%20b/..%2Fvideo.mp4')).status).toBe(404);
  });

  it('serves the files of a course at one address for all launches of a registration, which browsers keep', async () => {
    const registration = await fixture.register();
    const contentOf = async (id: string) => {
      const opened = await fixture.open(id);
      return new URL((await opened.course()).content, opened.address).href;
    };
    const first = await contentOf(registration);
    expect(await contentOf(registration)).toBe(first);
    expect(await contentOf(await fixture.register())).not.toBe(first);
    const { headers } = await fetchAtLocalhost(`${first}video.mp4`);
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    // What the browser keeps is no response to the request for a service worker.
    expect(headers.get('vary')).toBe('Accept-Encoding, Service-Worker');
  });

  it('serves the files of a course as long as one launch of the registration is open', async () => {
    const registration = await fixture.register();
    const [first, second] = [await fixture.open(registration), await fixture.open(registration)];
    const status = async () => (await first.get('content/video.mp4')).status;
    await first.post('exit', {});
    expect(await status()).toBe(200);
    await second.post('exit', {});
    expect(await status()).toBe(404);
    expect((await (await fixture.open(registration)).get('content/video.mp4')).status).toBe(200);
  });

  it('serves the course version that the registration was created for', async () => {
    const newer = await smallestPackage();
    const job = await fixture.client.import('two-parts', newer, { mayCreateNewVersion: 'true' });
    expect(job.status).toBe('COMPLETE');
    expect((await window.get('content/video.mp4')).status).toBe(200);
    expect((await window.get('content/page.html')).status).toBe(404);
  });

  it('returns 404, which no browser keeps, for a file whose course is deleted before it is read', async () => {
    await fixture.provider.database.execute(sql`DELETE FROM package_pieces`);
    const answer = await window.get('content/video.mp4');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      message: 'The course was deleted while its file was read.',
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      'no-store',
      null,
    ]);
  });
});
