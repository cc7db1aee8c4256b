import { putApplication } from '#libs/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTcpProxy } from '#libs/testing';
import { Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';

describe('the API', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  it('answers a ping', async () => {
    expect(await client.get('ping')).toMatchObject({
      status: 200,
      body: { apiMessage: expect.any(String), currentTime: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  it('lets nobody in without credentials, on no path', async () => {
    for (const path of ['ping', 'courses', 'registrations', 'courses/importJobs/1']) {
      const response = await fetch(`${fixture.url}/api/v2/${path}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="provider"');
      expect(await response.json()).toEqual({ error: 'Authorization Required.' });
    }
  });

  it('lets nobody in with wrong credentials', async () => {
    const wrong = [
      new Client(fixture.url, client.appId, 'wrong'),
      new Client(fixture.url, client.appId, ''),
      new Client(fixture.url, client.appId, `${client.secretKey} `),
      new Client(fixture.url, 'nobody', client.secretKey),
      new Client(fixture.url, '', client.secretKey),
      new Client(fixture.url, client.appId.toUpperCase(), client.secretKey),
    ];
    for (const stranger of wrong) {
      expect(await stranger.get('ping')).toMatchObject({
        status: 401,
        body: { message: 'The application id or the secret key is wrong.' },
      });
    }
    for (const authorization of ['Basic', 'Basic !', 'Bearer abc', 'Basic YWJj']) {
      const { status } = await client.send('ping', { headers: { authorization } });
      expect(status).toBe(401);
    }
  });

  it('knows an application by its newest secret key', async () => {
    const changed = await fixture.client();
    const secretKey = 'a new key, long enough';
    const renewed = new Client(fixture.url, changed.appId, secretKey);
    const { appId } = changed;
    await fixture.bus.request(putApplication, {
      ...{ appId, secretKey, name: 'Renewed', registrationLimit: null },
    });
    expect((await changed.get('ping')).status).toBe(401);
    expect((await renewed.get('ping')).status).toBe(200);
  });

  it('asks its clients to come back while its database is away, and answers them then', async () => {
    const database = await startTcpProxy(fixture.databaseUrl);
    const replica = await fixture.replica(database.url);
    const there = client.at(replica.url);
    expect((await there.get('ping')).status).toBe(200);
    database.cut();
    const message = 'The provider cannot answer now. Try again later.';
    expect(await there.get('registrations')).toMatchObject({ status: 503, body: { message } });
    database.restore();
    expect((await there.get('registrations')).status).toBe(200);
    await replica.stop();
    await database.close();
  });

  it('says what is wrong with a body that it cannot read', async () => {
    const post = (type: string, body: string) =>
      client.send('registrations', { method: 'POST', headers: { 'content-type': type }, body });
    const message = expect.any(String) as unknown;
    expect(await post('application/json', '{"courseId": ')).toMatchObject({
      ...{ status: 400, body: { message } },
    });
    expect(await post('application/json', JSON.stringify('x'.repeat(2_000_000)))).toMatchObject({
      ...{ status: 413, body: { message } },
    });
    expect(await post('text/csv', 'a,b')).toMatchObject({ status: 415, body: { message } });
    expect(await post('application/json', '')).toMatchObject({ status: 400, body: { message } });
    expect(await post('application/json', '{"__proto__": {"a": 1}}')).toMatchObject({
      ...{ status: 400, body: { message } },
    });
    expect(await post('application/json', '"text"')).toMatchObject({
      ...{ status: 400, body: { message } },
    });
  });

  it('does not take a mistaken address for a thing that is gone', async () => {
    for (const path of ['nothing', 'registrations/1/nothing', 'api/v2/registrations/1']) {
      const { status, body } = await client.get(path);
      expect([status, body]).toEqual([404, 'There is nothing at this address.']);
    }
  });

  it('refuses characters that no database holds, and takes all others', async () => {
    const message = 'A value holds a character that cannot be stored.';
    for (const path of ['registrations/%00', 'courses/%00', 'courses?filter=%00']) {
      expect(await client.get(path)).toMatchObject({ status: 400, body: { message } });
    }
    expect((await client.get('courses/%F0%9F%8E%93%20%25%2F')).body).toEqual({
      message: "No course has the id '🎓 %/'.",
    });
    expect((await client.get(`courses/${'x'.repeat(255)}`)).status).toBe(404);
  });

  it('keeps secrets out of its log', () => {
    const log = JSON.stringify(fixture.lines());
    expect(log).not.toContain(client.secretKey);
    expect(log).not.toContain(client.authorization);
  });
});
