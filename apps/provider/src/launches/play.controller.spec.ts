import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { fetchAtLocalhost } from '@registrar/testing';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { statusBeforeBody } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';
import {
  type CourseWindow,
  type LaunchesFixture,
  script,
  startLaunchesFixture,
  video,
} from './launches.fixture.ts';

interface RegistrationResult {
  readonly registrationCompletion: string;
  readonly registrationSuccess: string;
  readonly totalSecondsTracked: number;
  readonly hasOpenLaunch: boolean;
  readonly activityDetails: {
    readonly children: readonly {
      readonly suspended: boolean;
      readonly runtime?: Readonly<Record<string, string>>;
    }[];
  };
}

describe('the content of a course window', () => {
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
      const response = await fetchAtLocalhost(new URL('content/script.js', window.address).href, {
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

  it('serves the course version that the registration was created for', async () => {
    const newer = await smallestPackage();
    const job = await fixture.client.import('two-parts', newer, { mayCreateNewVersion: 'true' });
    expect(job.status).toBe('COMPLETE');
    expect((await window.get('content/video.mp4')).status).toBe(200);
    expect((await window.get('content/page.html')).status).toBe(404);
  });
});

describe('reports of a course window', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const resultOf = async (registration: string): Promise<RegistrationResult> => {
    const path = `registrations/${registration}`;
    const details = { includeChildResults: 'true', includeRuntime: 'true' };
    return (await fixture.client.get<RegistrationResult>(path, details)).body;
  };
  const locationIn = ({ activityDetails }: RegistrationResult) =>
    activityDetails.children[0]?.runtime?.location;

  it('applies reports in the order of their sequence numbers', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const report = async (sequence: number, status: string, location: string) => {
      const core = { lesson_status: status, lesson_location: location };
      return (await window.report({ activityId, sitting, sequence }, core)).status;
    };
    expect(await report(2, 'passed', 'end')).toBe(200);
    expect(await report(1, 'failed', 'middle')).toBe(200);
    expect(await report(2, 'failed', 'again')).toBe(200);
    const result = await resultOf(registration);
    expect(locationIn(result)).toBe('end');
    expect(result.totalSecondsTracked).toBe(2);
    expect((await window.course()).standings).toEqual({
      first: { completion: 'COMPLETED', success: 'PASSED' },
    });
  });

  it('stores each branch of the data from the newest report that contains it, in any order', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const core = { lesson_status: 'passed', lesson_location: 'end' };
    const large = { suspend_data: 'x'.repeat(100_000) };
    const report = (sequence: number, runtime: object, ended = true) =>
      window.report({ activityId, sitting, sequence }, {}, { runtime, ended, closing: ended });
    await report(3, { core });
    await report(2, { core: { lesson_status: 'failed' }, ...large }, false);
    const result = await resultOf(registration);
    expect(result.hasOpenLaunch).toBe(true);
    expect(result.activityDetails.children[0]).toMatchObject({
      activitySuccess: 'PASSED',
      suspended: false,
      runtime: { location: 'end', suspendData: large.suspend_data },
    });
    await report(1, { suspend_data: 'old' });
    await report(4, { suspend_data: 'new' });
    expect((await resultOf(registration)).activityDetails.children[0]?.runtime).toMatchObject({
      suspendData: 'new',
    });
    // The window closed, whichever of its reports arrived last.
    const path = `registrations/${registration}/launchHistory`;
    const { body } = await fixture.client.get(path);
    expect(body).toMatchObject({ launchHistory: [{ exitTime: expect.any(String) }] });
  });

  it('a launch is open until the learner exits, or five minutes after its window was closed', async () => {
    const registration = await fixture.register();
    const isOpen = async () =>
      (await fixture.client.get<{ hasOpenLaunch: boolean }>(`registrations/${registration}`)).body
        .hasOpenLaunch;
    const activityId = 'first';
    expect(await isOpen()).toBe(false);
    const review = await fixture.open(registration, { tracking: false });
    expect([(await review.get('course')).status, await isOpen()]).toEqual([200, false]);

    const exited = await fixture.open(registration);
    expect(await isOpen()).toBe(true);
    await exited.post('exit', {});
    expect(await isOpen()).toBe(false);

    const closed = await fixture.open(registration);
    const sitting = await closed.begin(activityId);
    const pass = (minutes: number) =>
      fixture.provider.database.execute(
        sql`UPDATE launches SET launched_at = launched_at - ${minutes} * interval '1 minute',
              expires_at = expires_at - ${minutes} * interval '1 minute'
            WHERE expires_at > now()`,
      );
    const close = (sequence: number) =>
      closed.report({ activityId, sitting, sequence }, {}, { closing: true });
    await close(1);
    await pass(4);
    expect(await isOpen()).toBe(true);
    // A reload opens the activity again, and extends the session.
    await closed.begin(activityId);
    await pass(10);
    expect(await isOpen()).toBe(true);
    await close(2);
    await pass(6);
    expect(await isOpen()).toBe(false);
    expect((await closed.get('index.html')).status).toBe(410);
  });

  it('returns 409 for a report after a newer window has reported', async () => {
    const registration = await fixture.register();
    const activityId = 'first';
    const older = await fixture.open(registration);
    const newer = await fixture.open(registration);
    const first = { activityId, sitting: await older.begin(activityId) };
    const second = { activityId, sitting: await newer.begin(activityId) };
    const last = await older.report({ ...first, sequence: 1 }, { lesson_location: 'old' });
    expect(last.status).toBe(200);
    await newer.report({ ...second, sequence: 1 }, { lesson_location: 'new' });
    const late = await older.report({ ...first, sequence: 2 }, { lesson_location: 'late' });
    expect(late.status).toBe(409);
    expect(locationIn(await resultOf(registration))).toBe('new');
  });

  it('returns 413 for a report when the accumulated run-time data exceed 2 MiB', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const statuses: number[] = [];
    for (const sequence of [1, 2, 3]) {
      const runtime = { [`branch ${sequence}`]: 'x'.repeat(900_000) };
      const answer = await window.report({ activityId, sitting, sequence }, {}, { runtime });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 413]);
    expect((await resultOf(registration)).totalSecondsTracked).toBe(2);
  });

  it('returns 404 for a report on an activity that was not opened', async () => {
    const window = await fixture.open(await fixture.register());
    const position = { sitting: 1, sequence: 1 };
    expect((await window.report({ ...position, activityId: 'first' }, {})).status).toBe(404);
    expect((await window.report({ ...position, activityId: 'no part' }, {})).status).toBe(404);
    expect((await window.post('openings', { activityId: 'no part' })).status).toBe(404);
    expect((await window.post('openings', {})).status).toBe(400);
    expect((await window.post('reports', { activityId: 'first' })).status).toBe(400);
  });

  it('returns 404 for a report in a review, which stores nothing', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration, { tracking: false });
    expect(await window.course()).toMatchObject({ tracking: false, start: 'first' });
    const opened = (await (
      await window.post('openings', { activityId: 'first' })
    ).json()) as object;
    expect(opened).toMatchObject({ sitting: 0, runtime: { core: { lesson_mode: 'review' } } });
    const position = { activityId: 'first', sitting: 1, sequence: 1 };
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(404);
    expect(await resultOf(registration)).toMatchObject({ registrationCompletion: 'UNKNOWN' });
  });

  it('returns 410 before it reads a body of an unknown or ended window, or at another origin', async () => {
    const window = await fixture.open(await fixture.register());
    const { host, pathname } = new URL(window.address);
    await window.post('exit', {});
    for (const path of ['openings', 'reports', 'exit']) {
      const line = `POST ${pathname.replace('index.html', path)} HTTP/1.1`;
      for (const [requestLine, at] of [
        [line, host],
        [line, 'localhost'],
        [`POST /play/unknown/${path} HTTP/1.1`, host],
      ] as const) {
        const { url } = fixture.provider;
        expect(await statusBeforeBody(url, requestLine, [`host: ${at}`])).toBe(410);
      }
    }
  });

  it('returns the redirect URL on exit, and 410 for later reports', async () => {
    const registration = await fixture.register();
    const redirectOnExitUrl = 'https://example.com/done?course=1';
    const window = await fixture.open(registration, { redirectOnExitUrl });
    const sitting = await window.begin('first');
    const exit = await window.post('exit', {});
    expect(await exit.json()).toEqual({ redirectUrl: redirectOnExitUrl, outcome: 'suspended' });
    const position = { activityId: 'first', sitting, sequence: 1 };
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(410);
    expect((await window.get('course')).status).toBe(410);
    expect((await window.get('index.html')).status).toBe(410);
    expect((await window.get('content/video.mp4')).status).toBe(404);
    expect((await window.post('exit', {})).status).toBe(410);
  });
});
