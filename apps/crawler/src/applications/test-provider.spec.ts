import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testProvider } from '@registrar/contracts';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

describe('the test of a provider application', () => {
  let crawler: CrawlerFixture;

  beforeAll(async () => {
    crawler = await startCrawlerFixture();
  });
  beforeEach(() => crawler.reset());
  afterAll(() => crawler.stopAll());

  const test = (secretKey: string | null = null, application = 1) =>
    crawler.bus.request(testProvider, { application, secretKey });

  it('the test of a provider application accepts the stored secret key', async () => {
    crawler.addApplication(1);
    expect(await test()).toEqual({
      reachable: true,
      credentials_accepted: true,
      clock_skew_seconds: expect.any(Number) as number,
      fault: null,
    });
  });

  it('the test of a provider application refuses a secret key that the provider does not know, and names no secret', async () => {
    const { secretKey } = crawler.addApplication(1);
    const refused = await test('not-this-one');
    expect(refused).toMatchObject({ reachable: true, credentials_accepted: false });
    expect(refused.fault).toContain('401');
    expect(JSON.stringify(refused)).not.toContain('not-this-one');
    expect(await test(secretKey)).toMatchObject({ credentials_accepted: true, fault: null });
  });

  it('the test of a provider application tries a new secret key while the stored one is refused', async () => {
    const { secretKey } = crawler.addApplication(1);
    crawler.setSecret(1, 'replaced-at-the-provider');
    expect(await test()).toMatchObject({ credentials_accepted: false });
    expect(await test(secretKey)).toMatchObject({ credentials_accepted: true });
  });

  it('the test of a provider application runs once at a time, and fails for an unknown application', async () => {
    crawler.addApplication(1);
    const held = crawler.holdResponses(({ path }) => path === 'ping');
    const arrived = crawler.requestArrives(({ path }) => path === 'ping');
    const first = test();
    await arrived;
    await expect(test()).rejects.toMatchObject({ code: 'over-limit' });
    held.release();
    expect(await first).toMatchObject({ fault: null });
    expect(await test()).toMatchObject({ fault: null });
    await expect(test(null, 9)).rejects.toMatchObject({ code: 'not-found' });
    await expect(test('any', 9)).rejects.toMatchObject({ code: 'not-found' });
  });
});
