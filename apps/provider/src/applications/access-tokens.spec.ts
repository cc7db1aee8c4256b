import { rotateApplicationSecret } from '@registrar/contracts';
import { stepTime } from '@registrar/persistence/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';
import { smallestPackage } from '../testing/make-package.ts';

interface TokenBody {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
}

const path = 'oauth/authenticate/application/token';

describe('access tokens', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
    await client.import('course', await smallestPackage());
  });
  afterAll(() => fixture?.stop());

  const request = (fields: Record<string, string>, of = client) =>
    of.send<TokenBody & { message: string }>(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });

  /** A client with an access token in place of the secret key. */
  const withScope = async (scope: string, more: Record<string, string> = {}, of = client) => {
    const { body } = await request({ scope, ...more }, of);
    return new TokenClient(of, body.access_token);
  };

  class TokenClient extends Client {
    constructor(
      owner: Client,
      readonly token: string,
    ) {
      super(owner.baseUrl, owner.appId, owner.secretKey);
    }
    override get authorization(): string {
      return `Bearer ${this.token}`;
    }
  }

  const newRegistration = () => ({
    courseId: 'course',
    registrationId: randomUUID(),
    learner: { id: 'learner' },
  });

  it('access tokens are issued for scopes and a lifetime, of 300 seconds by default', async () => {
    expect(await request({ scope: 'read:course  write' })).toMatchObject({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 300 },
    });
    expect((await request({ scope: 'read', expiration: '3600' })).body.expires_in).toBe(3600);
  });

  it.each([
    [{}, 'scope: is missing'],
    [{ scope: ' ' }, 'scope: is missing'],
    [{ scope: 'read:dispatch' }, 'scope.0: read:dispatch is not a scope of this provider'],
    [{ scope: 'read', expiration: '0' }, 'expiration: '],
    [{ scope: 'read', expiration: '86401' }, 'expiration: '],
    [{ scope: 'read', expiration: 'soon' }, 'expiration: is not a number of seconds'],
    [{ scope: 'read', grant_type: 'client_credentials' }, 'grant_type: is not supported'],
  ])('a request for an access token with %j is refused with 400', async (fields, message) => {
    expect(await request(fields as Record<string, string>)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
  });

  it('access tokens are issued for a form with each parameter once', async () => {
    for (const body of ['scope=read&scope=write', '']) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await client.send(path, { method: 'POST', headers, body })).status).toBe(400);
    }
    expect((await client.sendJson('POST', path, { scope: 'read' })).status).toBe(400);
  });

  it.each([
    ['read', [200, 200, 200, 403, 403, 200]],
    ['write', [403, 403, 403, 204, 403, 403]],
    ['delete', [403, 403, 403, 403, 404, 403]],
    ['admin', [200, 200, 200, 204, 404, 200]],
    ['read:ping', [200, 403, 403, 403, 403, 403]],
    ['read:course', [403, 200, 403, 403, 403, 403]],
    ['read:registration', [403, 403, 200, 403, 403, 200]],
    ['write:registration read:ping', [200, 403, 403, 204, 403, 403]],
    ['delete:registration', [403, 403, 403, 403, 404, 403]],
  ])('the scope %j grants its calls alone', async (scope, statuses) => {
    const limited = await withScope(scope);
    const registration = await client.register('course');
    const answers = [
      limited.get('ping'),
      limited.get('courses/course'),
      limited.get('registrations'),
      limited.sendJson('POST', 'registrations', newRegistration()),
      limited.delete('registrations/unknown'),
      limited.sendJson('POST', `registrations/${registration}/launchLink`, {}),
    ];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(statuses);
  });

  it('a call beyond the scopes of an access token is refused with the scope that it lacks', async () => {
    const limited = await withScope('read');
    expect(await limited.sendJson('POST', 'registrations', newRegistration())).toMatchObject({
      status: 403,
      body: { message: 'The access token lacks the scope write:registration, or write.' },
    });
  });

  it('an access token cannot get another one', async () => {
    const admin = await withScope('admin');
    expect(await request({ scope: 'admin' }, admin)).toMatchObject({
      status: 403,
      body: { message: 'This call needs the secret key of the application.' },
    });
  });

  it('an access token reaches its application alone', async () => {
    const other = await withScope('admin', {}, await fixture.client());
    expect((await other.get('courses/course')).status).toBe(404);
    expect((await other.get('courses')).body).toMatchObject({ courses: [] });
  });

  it('an access token that was altered, or made up, is refused with 401', async () => {
    const { token } = await withScope('admin');
    const [format, key, sealed = ''] = token.split('.');
    const changed = sealed.startsWith('A') ? 'B' : 'A';
    for (const forged of [`${format}.${key}.${changed}${sealed.slice(1)}`, `${token}A`, 'abc']) {
      expect(await new TokenClient(client, forged).get('ping')).toMatchObject({
        status: 401,
        body: { message: 'The access token is not valid, or it has expired.' },
      });
    }
  });

  it('an access token ends with its lifetime', async () => {
    const short = await withScope('read', { expiration: '60' });
    const long = await withScope('read', { expiration: '600' });
    expect((await short.get('ping')).status).toBe(200);
    await stepTime(61, fixture.database);
    expect((await short.get('ping')).status).toBe(401);
    expect((await long.get('ping')).status).toBe(200);
  });

  it('an access token ends with the secret key that it was made with, after the overlap of both', async () => {
    const owner = await fixture.client();
    const first = await withScope('admin', {}, owner);
    const rotate = (secretKey: string, overlapSeconds: number) =>
      fixture.bus.request(rotateApplicationSecret, {
        appId: owner.appId,
        secretKey,
        overlapSeconds,
      });
    await rotate('the second secret key', 60);
    expect((await first.get('ping')).status).toBe(200);
    await rotate('the third secret key', 0);
    expect((await first.get('ping')).status).toBe(401);
    expect((await first.sendJson('POST', 'registrations', newRegistration())).status).toBe(401);
    const renewed = new Client(owner.baseUrl, owner.appId, 'the third secret key');
    expect((await (await withScope('read', {}, renewed)).get('ping')).status).toBe(200);
  });

  it('an access token is accepted by every replica', async () => {
    const token = await withScope('read');
    const replica = await fixture.replica();
    expect((await new TokenClient(client.at(replica.url), token.token).get('ping')).status).toBe(
      200,
    );
    await replica.stop();
  });
});
