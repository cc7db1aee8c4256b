import { eventually } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProviderFixture, startProviderFixture } from './provider.fixture.ts';
import { makeDocument } from './testing/make-document.ts';
import { smallestPackage } from './testing/make-package.ts';

/**
 * The requests of scormcloud-client, a client in TypeScript: it uses access tokens alone, names media files by a header
 * and reads the messages of errors from the field `error`.
 */
describe('the calls of scormcloud-client', () => {
  let fixture: ProviderFixture;
  let basic: string;
  let token: string;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    basic = (await fixture.client()).authorization;
    const authenticated = await request('POST', 'oauth/authenticate/application/token', {
      authorization: basic,
      body: new URLSearchParams({ scope: 'admin', expiration: '3600' }),
    });
    token = String(authenticated.body['access_token']);
  });
  afterAll(() => fixture?.stop());

  const request = async (
    method: string,
    path: string,
    {
      body,
      authorization = `Bearer ${token}`,
      headers = {},
    }: {
      body?: NonNullable<RequestInit['body']>;
      authorization?: string;
      headers?: Record<string, string>;
    } = {},
  ) => {
    const response = await fetch(`${fixture.url}/api/v2/${path}`, {
      method,
      headers: { authorization, ...headers },
      body: body ?? null,
    });
    const text = await response.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, body: parsed };
  };
  const json = (value: object) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  const upload = async (courseId: string, file: Buffer, fileName: string, type: string) => {
    const body = new FormData();
    body.set('file', new Blob([Uint8Array.from(file)], { type }), fileName);
    const path = `courses/importJobs/upload?courseId=${courseId}`;
    return request('POST', path, { body, headers: { uploadedContentType: type } });
  };
  const jobEnd = (jobId: unknown) =>
    eventually(`import job ${String(jobId)} has ended`, async () => {
      const { body } = await request('GET', `courses/importJobs/${String(jobId)}`);
      return body['status'] !== 'RUNNING' && body;
    });

  it('a wrong secret key returns 401, and the message in error', async () => {
    const wrong = `Basic ${Buffer.from('app:wrong').toString('base64')}`;
    expect(
      await request('POST', 'oauth/authenticate/application/token', {
        authorization: wrong,
        body: new URLSearchParams({ scope: 'read', expiration: '3600' }),
      }),
    ).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  });

  it('ping needs a token alone', async () => {
    expect(await request('GET', 'ping')).toMatchObject({
      status: 200,
      body: { apiMessage: expect.any(String), currentTime: expect.any(String) },
    });
  });

  it('packages and documents are uploaded as courses, which are read, renamed and deleted', async () => {
    for (const [courseId, file, fileName, type, title] of [
      ['zip', await smallestPackage('From a zip'), 'course.zip', 'application/zip', 'From a zip'],
      ['pdf', makeDocument(), 'wine.pdf', 'application/pdf', 'wine'],
    ] as const) {
      expect((await request('GET', `courses/${courseId}`)).status).toBe(404);
      const { body } = await upload(courseId, file, fileName, type);
      expect(await jobEnd(body['result'])).toMatchObject({
        jobId: body['result'],
        status: 'COMPLETE',
      });
      expect((await request('GET', `courses/${courseId}`)).body).toMatchObject({ title });
      expect(await upload(courseId, file, fileName, type)).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(`^Course \\[${courseId}\\] already exists`) },
      });
      const renamed = json({ title: 'New' });
      expect((await request('PUT', `courses/${courseId}/title`, renamed)).status).toBe(204);
      expect((await request('GET', `courses/${courseId}/versions`)).body).toMatchObject({
        courses: [{ version: 0 }],
      });
      expect((await request('DELETE', `courses/${courseId}`)).status).toBe(204);
      expect(await request('DELETE', `courses/${courseId}`)).toMatchObject({
        status: 404,
        body: { error: `Could not find course [${courseId}]` },
      });
    }
    expect((await request('GET', 'courses/importJobs/abc')).status).toBe(404);
  });

  it('registrations are created, read, launched and deleted, and errors say why they are not', async () => {
    await jobEnd((await upload('c', makeDocument(), 'c.pdf', 'application/pdf')).body['result']);
    const none = { registrations: [] };
    expect((await request('GET', 'registrations?courseId=c')).body).toMatchObject(none);
    expect((await request('HEAD', 'registrations/r')).status).toBe(404);
    const learner = { id: 'learner' };
    const registration = json({ courseId: 'c', learner, registrationId: 'r' });
    expect((await request('POST', 'registrations', registration)).status).toBe(204);
    expect((await request('HEAD', 'registrations/r')).status).toBe(200);
    for (const query of ['courseId=c', 'learnerId=learner']) {
      expect((await request('GET', `registrations?${query}`)).body).toMatchObject({
        registrations: [{ id: 'r' }],
      });
    }
    expect(await request('POST', 'registrations', registration)).toMatchObject({
      status: 400,
      body: { error: 'Registration with id [r] already exists' },
    });
    const unknown = json({ courseId: 'abc', learner, registrationId: 'x' });
    expect(await request('POST', 'registrations', unknown)).toMatchObject({
      status: 404,
      body: { error: 'Could not find course [abc]' },
    });
    const link = json({ redirectOnExitUrl: 'https://shop.example/' });
    expect((await request('POST', 'registrations/r/launchLink', link)).body).toMatchObject({
      launchLink: expect.stringMatching(/^http/),
    });
    expect(await request('POST', 'registrations/abc/launchLink', link)).toMatchObject({
      status: 404,
      body: { error: 'Could not find registration [abc]' },
    });
    expect((await request('GET', 'registrations/r')).body).toMatchObject({
      course: { id: 'c' },
      learner,
      totalSecondsTracked: 0,
    });
    expect((await request('DELETE', 'registrations/r')).status).toBe(204);
    expect((await request('DELETE', 'registrations/r')).status).toBe(404);
  });
});
