import { eventually } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';

describe('imports of packages that the provider fetches', () => {
  let fixture: ProviderFixture;
  let client: Client;
  let source: Server;
  let origin: string;
  let respond: (response: ServerResponse) => void;

  beforeAll(async () => {
    source = createServer((_request, response) => respond(response));
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    fixture = await startProviderFixture({ fetchOrigins: origin });
    client = await fixture.client();
  });
  afterAll(async () => {
    await fixture?.stop();
    source.closeAllConnections();
    source.close();
  });

  const begin = (body: object, courseId = 'fetched', path = 'courses/importJobs') =>
    client.sendJson<{ result: string; message: string }>(
      'POST',
      `${path}?courseId=${courseId}`,
      body,
    );
  const importFrom = async (url: string, courseId?: string) => {
    const { body } = await begin({ url }, courseId);
    return client.importEnd(body.result);
  };

  it('a package is fetched and imported', async () => {
    const zip = await smallestPackage('From afar');
    respond = (response) => void response.end(zip);
    expect(await importFrom(`${origin}/course.zip?key=1`)).toMatchObject({
      status: 'COMPLETE',
      importResult: { course: { id: 'fetched', title: 'From afar', size: zip.length } },
    });
    const { body } = await begin(
      { fetchRequest: { url: `${origin}/course.zip`, contentType: 'application/zip' } },
      'without-upload',
      'courses/importJobs/noUpload',
    );
    expect(await client.importEnd(body.result)).toMatchObject({ status: 'COMPLETE' });
  });

  it('a package is not fetched for a course that exists, unless it may create a version', async () => {
    respond = () => expect.unreachable();
    expect(await begin({ url: `${origin}/course.zip` })).toMatchObject({
      status: 409,
      body: { message: 'Course [fetched] already exists, and mayCreateNewVersion is false.' },
    });
  });

  it.each([
    [{}, 'url: is missing'],
    [{ url: 'file:///etc/passwd' }, 'url: is not an HTTP URL'],
    [{ url: 'http://user:key@127.0.0.1/' }, 'url: contains credentials'],
    [{ url: 'http://127.0.0.1:1/a.zip' }, 'PROVIDER_FETCH_ORIGINS'],
    [{ url: 'http://169.254.169.254/' }, 'this provider does not fetch packages from'],
    [
      { url: 'http://a.example/', contentType: 'text/html' },
      'contentType: is not one of application/zip',
    ],
    [{ url: 'http://a.example/', mediaFileMetadata: {} }, 'mediaFileMetadata: a package has'],
  ])('a request for a fetch with %j is refused with 400', async (body, message) => {
    expect(await begin(body, 'refused')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
  });

  it('a redirect is not followed', async () => {
    respond = (response) => void response.writeHead(302, { location: `${origin}/other` }).end();
    expect(await importFrom(`${origin}/moved.zip`, 'moved')).toMatchObject({
      status: 'ERROR',
      message: 'The package could not be fetched: status 302.',
    });
  });

  it('an import fails when its package cannot be fetched', async () => {
    respond = (response) => void response.writeHead(404).end('no such course');
    expect(await importFrom(`${origin}/missing.zip`, 'missing')).toMatchObject({
      status: 'ERROR',
      message: 'The package could not be fetched: status 404.',
    });
    respond = (response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('PK', () => response.destroy());
    };
    expect(await importFrom(`${origin}/cut.zip`, 'cut')).toMatchObject({
      status: 'ERROR',
      message: expect.stringMatching(/^The package could not be fetched: /),
    });
    respond = (response) => void response.end('no zip');
    expect(await importFrom(`${origin}/text.zip`, 'text')).toMatchObject({
      status: 'ERROR',
      message: 'The package is not a zip file, or it is truncated.',
    });
  });

  it('the provider stops while a package is being fetched', async () => {
    let isAsked = false;
    respond = (response) => {
      response.writeHead(200);
      response.write('PK');
      isAsked = true;
    };
    const { body } = await begin({ url: `${origin}/endless.zip` }, 'endless');
    await eventually('the package is being fetched', () => Promise.resolve(isAsked));
    await fixture.restart();
    const restarted = client.at(fixture.app.url ?? '');
    expect(await restarted.importJob(body.result)).toMatchObject({
      status: 'ERROR',
      message: expect.stringContaining('The provider stopped before the import.'),
    });
  });
});
