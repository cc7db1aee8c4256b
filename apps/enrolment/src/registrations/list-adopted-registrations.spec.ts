import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAdoptedRegistrations, type ProviderRegistration } from '@registrar/contracts';
import { connectCourseProvider } from '@registrar/course-provider';
import { sql } from '@registrar/persistence';
import { type EnrolmentFixture, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { ImportCrawl } from './import-crawl.ts';

describe('the list of adopted registrations', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  afterAll(() => enrolment.stop());

  const list = async (since: string) => {
    const pages = [];
    for await (const { items: page } of enrolment.bus.pages(listAdoptedRegistrations, { since })) {
      pages.push(...page);
    }
    return pages;
  };
  /** Imports what the provider has of these registrations, as a sweep does. */
  const sweep = async (...guids: string[]) => {
    const { appId, secretKey } = enrolment.account(1);
    const provider = connectCourseProvider({ baseUrl: enrolment.provider.url, appId, secretKey });
    const found = await Promise.all(guids.map((guid) => provider.getRegistration(guid, 'course')));
    const results = found.filter((each): each is ProviderRegistration => each !== null);
    await enrolment.app.get(ImportCrawl).import({
      applicationId: 1,
      realmId: 1,
      sequence: 1,
      crawlType: 'course',
      crawledAt: '2026-01-01T00:00:00Z',
      outcomes: results.map((result) => ({
        outcome: 'crawled',
        registrationGuid: result.registrationGuid,
        result,
        digest: 'd'.repeat(32),
      })),
    });
  };

  it('the list of adopted registrations has those that a crawl found and this service did not know, since a point in time', async () => {
    const known = await enrolment.create('ada@example.org');
    enrolment.account(1).addRegistration('found', 'swimming', 'bob@example.org');
    await sweep(known.registration_guid, 'found');
    expect(await list('2026-01-01T00:00:00Z')).toEqual([
      {
        adopted_at: expect.stringMatching(/Z$/),
        application: 1,
        registration_guid: 'found',
        course_guid: 'swimming',
        learner_id: 'bob@example.org',
      },
    ]);
    expect(await list('2999-01-01T00:00:00Z')).toEqual([]);
  });

  it('the list of adopted registrations is read page by page', async () => {
    await enrolment.database.execute(
      sql`INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
            registration_guid, provider_state, created_at)
          SELECT 1, 1, 'swimming', 'ada@example.org', 'many-' || n, 'ready', '3000-01-01'
          FROM generate_series(1, 1200) AS n`,
    );
    const guids = (await list('3000-01-01T00:00:00Z')).map((each) => each.registration_guid);
    expect(guids).toEqual(Array.from({ length: 1200 }, (_, index) => `many-${index + 1}`));
  });
});
