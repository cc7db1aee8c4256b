import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import type { Client } from '../provider.fixture.ts';
import { makeDocument } from '../testing/make-document.ts';

describe('media files that become courses', () => {
  const document = makeDocument();
  let fixture: LaunchesFixture;
  let client: Client;
  let source: Server;
  let origin: string;

  beforeAll(async () => {
    source = createServer((_request, response) => void response.end(document));
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    fixture = await startLaunchesFixture({ fetchOrigins: origin });
    ({ client } = fixture);
  });
  afterAll(async () => {
    await fixture?.stop();
    source.closeAllConnections();
    source.close();
  });

  interface Uploaded {
    readonly type?: string;
    readonly bytes?: Buffer;
    readonly fileName?: string;
    readonly contentMetadata?: string;
  }
  const upload = (
    courseId: string,
    { type = 'application/pdf', bytes = document, fileName = 'x.pdf', contentMetadata }: Uploaded,
  ) => {
    const form = new FormData();
    if (contentMetadata !== undefined) form.set('contentMetadata', contentMetadata);
    form.set('file', new Blob([Uint8Array.from(bytes)]), fileName);
    const path = `courses/importJobs/upload?courseId=${courseId}`;
    return client.send<{ result: string; message: string }>(path, {
      method: 'POST',
      headers: { uploadedContentType: type },
      body: form,
    });
  };
  const imported = async (courseId: string, uploaded: Uploaded) =>
    client.importEnd((await upload(courseId, uploaded)).body.result);

  it('a PDF file becomes a course of one page, with the title of the file', async () => {
    expect(await imported('pdf', { fileName: 'Größe.v2.pdf' })).toMatchObject({
      status: 'COMPLETE',
      importResult: {
        course: {
          title: 'Größe.v2',
          size: document.length,
          courseLearningStandard: 'UNKNOWN',
          rootActivity: { children: [{ activityType: 'ASSET', children: [] }] },
        },
      },
    });
    expect((await client.get('courses/pdf/asset/list')).body).toMatchObject({
      files: [{ path: 'document.pdf', size: document.length }, { path: 'index.html' }],
    });
  });

  it('a long name of a file is cut between two characters', async () => {
    const fileName = `${'x'.repeat(999)}😀.pdf`;
    expect(await imported('long', { fileName })).toMatchObject({
      status: 'COMPLETE',
      importResult: { course: { title: 'x'.repeat(999) } },
    });
  });

  it('a course of a PDF file shows it, and is completed when it is opened', async () => {
    await imported('shown', { contentMetadata: '{"title": "A & <B>"}' });
    const id = await client.register('shown');
    const window = await fixture.open(id);
    expect(await window.course()).toMatchObject({ title: 'A & <B>', partCount: 1 });
    const { activity } = await window.navigate({ command: 'start' });
    expect(activity).toMatchObject({ href: 'index.html', usesApi: false });
    const page = await (await window.get('content/index.html')).text();
    expect(page).toContain('<object data="document.pdf" type="application/pdf">');
    expect(page).toContain('A &amp; &lt;B>');
    const shown = await window.get('content/document.pdf');
    expect(shown.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(document);
    await window.post('exit', {});
    expect((await client.get(`registrations/${id}`)).body).toMatchObject({
      registrationCompletion: 'COMPLETED',
      registrationSuccess: 'UNKNOWN',
    });
  });

  it('audio and video files become courses that play them', async () => {
    const mp3 = Buffer.from('ID3 and sounds');
    const mp4 = Buffer.from('\0\0\0\u0018ftypmp42 and images');
    expect(await imported('mp3', { type: 'audio/mpeg', bytes: mp3 })).toMatchObject({
      status: 'COMPLETE',
    });
    // As a client writes it.
    expect(await imported('mp3-2', { type: 'audo/mpeg', bytes: mp3 })).toMatchObject({
      status: 'COMPLETE',
    });
    expect(await imported('mp4', { type: 'video/mp4', bytes: mp4 })).toMatchObject({
      status: 'COMPLETE',
    });
    const pageOf = async (courseId: string) => {
      const window = await fixture.open(await client.register(courseId));
      return (await window.get('content/index.html')).text();
    };
    expect(await pageOf('mp3')).toContain('<audio src="audio.mp3" controls>');
    expect(await pageOf('mp4')).toContain('<video src="video.mp4" controls>');
  });

  it('a media file is stored as a new version if it may', async () => {
    await imported('twice', {});
    expect((await upload('twice', {})).status).toBe(409);
    const { status, body } = await upload('twice&mayCreateNewVersion=true', {});
    expect(status).toBe(200);
    expect(await client.importEnd(body.result)).toMatchObject({
      importResult: { course: { version: 1 } },
    });
  });

  it('the metadata of a media file are those of its course', async () => {
    const contentMetadata = JSON.stringify({ title: 'Title', description: 'What it is about' });
    await imported('described', { contentMetadata });
    const query = { includeCourseMetadata: 'true' };
    expect((await client.get('courses/described', query)).body).toMatchObject({
      title: 'Title',
      metadata: { title: 'Title', description: 'What it is about' },
    });
    const broken = 'contains control characters or broken ones';
    for (const [wrong, message] of [
      ['{', 'contentMetadata: is not JSON'],
      ['{"author": "x"}', 'contentMetadata.author: is not supported'],
      ['{"title": "\\u0000"}', `contentMetadata.title: ${broken}`],
      ['{"description": "\\ud83d"}', `contentMetadata.description: ${broken}`],
    ]) {
      expect(await upload('refused', { contentMetadata: wrong! })).toMatchObject({
        status: 400,
        body: { message },
      });
    }
    expect(await upload('refused', { type: 'application/zip', contentMetadata })).toMatchObject({
      status: 400,
      body: { message: 'contentMetadata: a package has metadata of its own' },
    });
  });

  it('a file of another type, an unknown type and an empty file are refused', async () => {
    expect(await upload('refused', { type: 'text/html' })).toMatchObject({
      status: 400,
      body: {
        message:
          'uploadedContentType: is not one of application/zip, application/pdf, audio/mpeg, video/mp4',
      },
    });
    for (const uploaded of [
      { bytes: Buffer.from('<script>alert(1)</script>') },
      { bytes: Buffer.of() },
    ]) {
      expect(await imported('refused', uploaded)).toMatchObject({
        status: 'ERROR',
        message: 'The file is not of the type application/pdf.',
      });
    }
    expect(await imported('refused', { type: 'video/mp4' })).toMatchObject({
      message: 'The file is not of the type video/mp4.',
    });
    expect((await client.get('courses/refused')).status).toBe(404);
  });

  it('a media file can be fetched by URL', async () => {
    const fetchFrom = async (courseId: string, request: object) => {
      const path = `courses/importJobs?courseId=${courseId}`;
      const url = `${origin}/files/The%20plan.pdf?key=1`;
      const body = { url, contentType: 'application/pdf', ...request };
      return client.sendJson<{ result: string }>('POST', path, body);
    };
    const named = await fetchFrom('fetched', {});
    expect(await client.importEnd(named.body.result)).toMatchObject({
      status: 'COMPLETE',
      importResult: { course: { title: 'The plan' } },
    });
    const titled = await fetchFrom('titled', { mediaFileMetadata: { title: 'Title' } });
    expect(await client.importEnd(titled.body.result)).toMatchObject({
      importResult: { course: { title: 'Title' } },
    });
  });

  it('a preview of a media file shows it', async () => {
    await imported('previewed', {});
    const { body } = await client.sendJson<{ launchLink: string }>(
      'POST',
      'courses/previewed/preview',
      {},
    );
    expect((await fetchAtLocalhost(body.launchLink)).status).toBe(303);
  });
});
