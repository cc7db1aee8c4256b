import { findRegistrationCrawl } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CrawlerFixture, startCrawlerFixture } from '../crawler.fixture.ts';

let crawler: CrawlerFixture;
beforeAll(async () => {
  crawler = await startCrawlerFixture();
  await crawler.database.execute(sql`
    INSERT INTO due_registrations (application_id, registration_guid, due_at, step)
    VALUES (1, 'launched', '2031-02-03T04:05:06Z', 0)`);
});
afterAll(() => crawler.stopAll());

const find = (applicationId: number, registrationGuid: string) =>
  crawler.bus.request(findRegistrationCrawl, { applicationId, registrationGuid });

it('returns when a registration is crawled next by its GUID', async () => {
  expect(await find(1, 'launched')).toEqual({ due_at: '2031-02-03T04:05:06Z' });
});

it('returns null for a registration that only lists are crawled for', async () => {
  expect(await find(1, 'idle')).toEqual({ due_at: null });
});

it('returns null for a registration of another provider application', async () => {
  expect(await find(2, 'launched')).toEqual({ due_at: null });
});
