import { eventually } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';

/** Whether an upload with this text is on the disk, where uploads of other suites may be too. */
async function isOnDisk(text: string): Promise<boolean> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith('registrar-upload-'));
  const contents = await Promise.all(
    folders.map((name) => readFile(join(tmpdir(), name, 'package.zip')).catch(() => '')),
  );
  return contents.some((content) => content.includes(text));
}

/** Adds an archive comment, which is not compressed, to a zip file. */
function withComment(zip: Buffer, comment: string): Buffer {
  zip.writeUInt16LE(comment.length, zip.length - 2);
  return Buffer.concat([zip, Buffer.from(comment)]);
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
    expect(await send(formOf({ file: blob() }), '?courseId=a&mayCreateNewVersion=perhaps')).toEqual(
      expect.objectContaining(refused('mayCreateNewVersion: neither true nor false')),
    );
    expect(await client.sendJson('POST', 'courses/importJobs/upload?courseId=a', {})).toMatchObject(
      refused('Send the package as multipart/form-data in the field file.'),
    );
    const two = formOf({ file: blob() });
    two.append('file', blob());
    expect(await send(two)).toMatchObject({
      ...{ status: 400, body: { message: expect.stringContaining('not a form with one file') } },
    });
    const many = new FormData();
    for (let n = 0; n < 20; n += 1) many.append(`field${n}`, 'x');
    expect((await send(many)).status).toBe(400);
  });

  it('returns 400 for additional fields in the form, unless they are empty', async () => {
    const file = new Blob([Uint8Array.from(await smallestPackage())]);
    expect(await send(formOf({ contentMetadata: '{}', file }))).toMatchObject({
      ...{ status: 400, body: { message: 'contentMetadata: is not supported' } },
    });
    expect(await send(formOf({ contentMetadata: '', file }))).toMatchObject({ status: 200 });
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
        ...{ method: 'POST', headers, body },
      });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    }
  });

  it('leaves no file on the disk, whatever the outcome of the import', async () => {
    const replica = await fixture.replica();
    const there = client.at(replica.url);
    const marks = Array.from({ length: 3 }, () => randomUUID());
    await there.import('good', withComment(await smallestPackage(), marks[0] ?? ''));
    await there.import('bad', Buffer.from(`no zip ${marks[1]}`));
    await there.upload('good', Buffer.from(`no zip ${marks[2]}`));
    // Stopping waits for the running imports.
    await replica.stop();
    for (const mark of marks) expect(await isOnDisk(mark)).toBe(false);
  });

  it('leaves no file on the disk after the client has disconnected', async () => {
    const mark = randomUUID();
    const upload = request(`${fixture.url}/api/v2/courses/importJobs/upload?courseId=gone`, {
      method: 'POST',
      headers: {
        authorization: client.authorization,
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    upload.on('error', () => undefined);
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
    upload.write(`${head}${mark}${'x'.repeat(1_000_000)}`);
    await eventually('the upload is on the disk', () => isOnDisk(mark));
    upload.destroy();
    await eventually('the upload is deleted', async () => !(await isOnDisk(mark)));
  });
});
