import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type ProviderFixture, startProviderFixture } from '../provider.fixture.ts';

describe('the API', () => {
  let fixture: ProviderFixture;
  let client: Client;

  beforeAll(async () => {
    fixture = await startProviderFixture();
    client = await fixture.client();
  });
  afterAll(() => fixture?.stop());

  it('answers a ping', async () => {
    const { status, body } = await client.get('ping');
    expect(status).toBe(200);
    expect(body).toEqual({ apiMessage: expect.any(String), currentTime: expect.any(String) });
  });
});
