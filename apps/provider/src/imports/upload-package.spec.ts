import { eventually } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readdir, readlink } from 'node:fs/promises';
import { request } from 'node:http';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';

/** The files of uploads that this process has open: links in /proc (proc(5)). */
async function openUploads(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((descriptor) =>
    readlink(`/proc/self/fd/${descriptor}`).catch(() => ''),
  );
  return (await Promise.all(links)).filter((path) => path.includes('registrar-upload-'));
}

describe('the upload of a package', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  const send = (form: FormData, query = '?courseId=form') =>
    client.send(`courses/importJobs/upload${query}`, { method: 'POST', body: form });
  const formOf = (parts: Record<string, Blob | string>) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) form.append(name, part);
    return form;
  };
  const blob = (bytes = 10) => new Blob([Buffer.alloc(bytes)]);

  it('returns 400 unless the upload is a form with one file, named file', async () => {
    const refused = (message: string) => ({ status: 400, body: { message } });
    expect(await send(formOf({ package: blob() }))).toMatchObject(
      refused('Send one file, named file.'),
    );
    expect(await send(formOf({ note: '' }))).toMatchObject(refused('The field file is missing.'));
    expect(await send(formOf({ file: blob() }), '')).toMatchObject(refused('courseId: is missing'));
    expect(
      await send(formOf({ file: blob() }), '?courseId=a&mayCreateNewVersion=perhaps'),
    ).toMatchObject(refused('mayCreateNewVersion: neither true nor false'));
    expect(await client.sendJson('POST', 'courses/importJobs/upload?courseId=a', {})).toMatchObject(
      refused('Send the package as multipart/form-data in the field file.'),
    );
    const two = formOf({ file: blob() });
    two.append('file', blob());
    expect(await send(two)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not a form with one file') },
    });
    const many = new FormData();
    for (let n = 0; n < 20; n += 1) many.append(`field${n}`, 'x');
    expect((await send(many)).status).toBe(400);
  });

  it('returns 400 for additional fields in the form, unless they are empty', async () => {
    const file = new Blob([Uint8Array.from(await smallestPackage())]);
    expect(await send(formOf({ note: '{}', file }))).toMatchObject({
      status: 400,
      body: { message: 'note: is not supported' },
    });
    expect(await send(formOf({ contentMetadata: '', note: '', file }))).toMatchObject({
      status: 200,
    });
  });

  it('reads a rejected upload to its end, so that the client gets the response', async () => {
    const refused = await send(formOf({ wrong: blob(20_000_000) }));
    expect(refused.status).toBe(400);
    expect((await client.get('ping')).status).toBe(200);
  });

  it('returns 400 for a truncated form', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
    for (const body of [head, `${head}some`, '', 'no form']) {
      const answer = await client.send('courses/importJobs/upload?courseId=cut', {
        method: 'POST',
        headers,
        body,
      });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    }
  });

  describe.runIf(process.platform === 'linux')('files of uploads', () => {
    it('files of uploads are closed, whatever the outcome of the import', async () => {
      await client.import('good', await smallestPackage());
      await client.import('bad', Buffer.from('no zip'));
      await client.upload('good', Buffer.from('no zip'));
      await eventually('the files are closed', async () => (await openUploads()).length === 0);
    });

    it('files of uploads have no name, so that none is left by a process that is killed', async () => {
      const upload = request(`${fixture.url}/api/v2/courses/importJobs/upload?courseId=gone`, {
        method: 'POST',
        headers: {
          authorization: client.authorization,
          'content-type': 'multipart/form-data; boundary=b',
        },
      });
      upload.on('error', () => undefined);
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
      upload.write(`${head}${'x'.repeat(1_000_000)}`);
      await eventually('the upload has a file without a name', async () =>
        (await openUploads()).some((path) => path.endsWith(' (deleted)')),
      );
      upload.destroy();
      await eventually('the file is closed', async () => (await openUploads()).length === 0);
    });
  });
});
