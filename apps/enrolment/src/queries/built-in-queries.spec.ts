import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessScope, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { CopyCourse } from '../courses/copy-course.ts';
import { scopeOf } from '../enrolment.fixture.ts';
import { type QueriesFixture, realmTwo, startQueriesFixture } from './queries.fixture.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('the built-in queries', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
    await queries.app.get(CopyCourse).copy({
      courseId: 100,
      applicationId: 1,
      courseGuid: 'swimming',
      title: 'Swimming',
      deleted: false,
      version: 1,
      keywords: ['Water', 'sport'],
    });
    const day = { created_at: '2026-01-02T23:00:00Z' };
    const crawled = { last_crawled_at: '2026-01-05T10:00:00Z', result_sequence: 5 };
    await queries.insert(1, 'swimming', 'Ada@example.org', 'done', {
      ...day,
      ...crawled,
      complete: 'complete',
      success: 'succeeded',
      score: 100,
      totaltime: 90,
      launched_at: '2026-01-04T10:00:00Z',
      provider_accessed_at: '2026-01-04T11:00:00Z',
      provider_completed_at: '2026-01-04T12:00:00Z',
    });
    await queries.insert(1, 'swimming', 'bob@example.org', 'stuck', {
      ...day,
      complete: 'incomplete',
      success: 'failed',
      score: 39.9,
      totaltime: 30,
      launched_at: daysAgo(20),
      provider_accessed_at: daysAgo(10.5),
      number_of_crawl_errors: 3,
      failure_sequence: 7,
    });
    await queries.insert(1, 'diving', 'ada@example.org', 'fresh', {
      created_at: '2026-01-03T01:00:00Z',
      launched_at: daysAgo(1),
    });
    await queries.insert(2, 'swimming', 'bob@example.org', 'waiting', day);
    await queries.insert(2, 'swimming', 'bob@example.org', 'left', {
      ...day,
      active: false,
      launched_at: daysAgo(99),
    });
    await queries.insert(1, 'swimming', 'bob@example.org', 'gone', {
      ...day,
      deletion_sequence: 9,
      launched_at: daysAgo(99),
    });
    await queries.insert(3, 'swimming', 'eve@example.org', 'elsewhere', {
      launched_at: daysAgo(99),
    });
    await invite(1, 'license', true, 'swimming', 'stuck', 3);
    await invite(1, 'open', false, 'diving', 'fresh', 0);
    await invite(2, 'license', true, 'swimming', 'elsewhere', 8);
  });
  afterAll(() => queries.stop());

  /** Inserts an invitation with one course and one learner, who holds a seat. */
  const invite = (
    realmId: number,
    name: string,
    license: boolean,
    courseGuid: string,
    registrationGuid: string,
    free: number,
  ) =>
    queries.database.execute(
      sql`WITH created AS (
            INSERT INTO invitations (realm_id, name, enabled, license,
              avoid_duplicate_registrations, no_updates_allowed)
            VALUES (${realmId}, ${name}, true, ${license}, false, false) RETURNING id
          ), registration AS (
            SELECT * FROM registrations WHERE registration_guid = ${registrationGuid}
          ), course AS (
            INSERT INTO invitation_courses
            SELECT created.id, 1, provider_application_id, ${courseGuid}
            FROM created, registration
          ), seats AS (
            INSERT INTO invitation_seats SELECT id, ${courseGuid}, ${free} FROM created
          ), learner AS (
            INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
            SELECT created.id, learner_id, 1 FROM created, registration
          )
          INSERT INTO invitation_registrations
          SELECT created.id, lower(learner_id), ${courseGuid}, registration.id, true
          FROM created, registration`,
    );
  const rowsOf = async (
    name: string,
    parameters: Record<string, string> = {},
    scope: AccessScope = scopeOf(),
  ) => (await queries.run(name, parameters, { scope, queryScope: 'bright' })).rows;

  it('completion_by_course counts registrations and results of each course', async () => {
    const diving = { course_guid: 'diving', course_title: null, registrations: 1, completed: 0 };
    const inTwo = { course_guid: 'swimming', course_title: null, registrations: 1, learners: 1 };
    expect(await rowsOf('completion_by_course')).toMatchObject([
      diving,
      {
        course_guid: 'swimming',
        course_title: 'Swimming',
        registrations: 2,
        learners: 2,
        completed: 1,
        completion_rate: 0.5,
        succeeded: 1,
        failed: 1,
        average_score: 69.95,
      },
      inTwo,
    ]);
  });

  it('progress_by_learner counts each learner, and only the user of a user-bound key', async () => {
    const ada = {
      learner_id: 'ada@example.org',
      registrations: 2,
      completed: 1,
      begun: 1,
      not_begun: 0,
      average_score: 100,
      totaltime: 90,
    };
    const bob = { learner_id: 'bob@example.org', registrations: 2, begun: 1, not_begun: 1 };
    expect(await rowsOf('progress_by_learner')).toMatchObject([ada, bob]);
    const scope = scopeOf({ email: 'ada@example.org' });
    expect(await rowsOf('progress_by_learner', {}, scope)).toMatchObject([ada]);
  });

  it('registrations_by_day counts by day of UTC', async () => {
    expect(await rowsOf('registrations_by_day')).toEqual([
      { day: '2026-01-02', registrations: 5, learners: 2, completed: 1 },
      { day: '2026-01-03', registrations: 1, learners: 1, completed: 0 },
    ]);
  });

  it('learners_stuck lists learners who have been idle for the given days', async () => {
    const bob = { learner_id: 'bob@example.org', registration_guid: 'stuck', idle_days: 10 };
    expect(await rowsOf('learners_stuck', { days: '10' })).toMatchObject([bob]);
    expect(await rowsOf('learners_stuck', { days: '0' })).toMatchObject([
      bob,
      { registration_guid: 'fresh', idle_days: 1 },
    ]);
    expect(await rowsOf('learners_stuck', { days: '11' })).toEqual([]);
    // Fourteen days by default.
    expect(await rowsOf('learners_stuck')).toEqual(await rowsOf('learners_stuck', { days: '14' }));
    await expect(rowsOf('learners_stuck', { days: 'ten' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('crawl_health counts crawls by provider application', async () => {
    expect(await rowsOf('crawl_health')).toEqual([
      {
        course_provider_id: 1,
        registrations: 4,
        never_crawled: 3,
        behind_launch: 3,
        failing: 1,
        crawl_errors: 3,
        deleted: 1,
        oldest_crawl_at: '2026-01-05T10:00:00Z',
        newest_crawl_at: '2026-01-05T10:00:00Z',
        oldest_sync_at: '2026-01-05T10:00:00Z',
      },
      {
        course_provider_id: 2,
        registrations: 1,
        never_crawled: 1,
        behind_launch: 0,
        failing: 0,
        crawl_errors: 0,
        deleted: 0,
        oldest_crawl_at: null,
        newest_crawl_at: null,
        oldest_sync_at: null,
      },
    ]);
  });

  it('score_distribution counts by tens of points, with 100 in the last step', async () => {
    const swimming = { course_guid: 'swimming', course_title: 'Swimming', registrations: 1 };
    expect(await rowsOf('score_distribution')).toEqual([
      { ...swimming, score_from: 30, score_to: 40 },
      { ...swimming, score_from: 90, score_to: 100 },
    ]);
  });

  /** The values of each row by position, as existing clients read them. */
  const valuesOf = async (...request: Parameters<typeof rowsOf>) => {
    const { columns, rows } = await queries.run(request[0], request[1], {
      scope: request[2] ?? scopeOf(),
      queryScope: 'bright',
    });
    return rows.map((row) => columns.map(({ name }) => row[name]));
  };
  const ada = [
    ...['Ada@example.org', 'Swimming', 'complete', 'succeeded', 100],
    '2026-01-04T12:00:00Z',
  ];
  const bob = ['bob@example.org', 'Swimming', 'incomplete', 'failed', 39.9, null];
  const notBegun = ['unknown', 'unknown', null, null];
  const adaDiving = ['ada@example.org', 'diving', ...notBegun];
  const bobInTwo = ['bob@example.org', 'swimming', ...notBegun];

  it('bright_completion_matrix lists the latest registration of each learner and course', async () => {
    expect(await valuesOf('bright_completion_matrix')).toEqual([ada, adaDiving, bob, bobInTwo]);
    expect(await valuesOf('bright_completion_matrix', { guid_prefix: 'div' })).toEqual([adaDiving]);
    const scope = scopeOf({ email: 'ada@example.org' });
    expect(await valuesOf('bright_completion_matrix', {}, scope)).toEqual([ada, adaDiving]);
  });

  it('bright_completion_matrix_full lists every current registration', async () => {
    await queries.insert(2, 'swimming', 'bob@example.org', 'again', {
      created_at: '2026-01-01T23:00:00Z',
      score: 7,
    });
    const earlier = ['bob@example.org', 'swimming', 'unknown', 'unknown', 7, null];
    expect(await valuesOf('bright_completion_matrix')).toHaveLength(4);
    expect(await valuesOf('bright_completion_matrix_full')).toEqual([
      ...[ada, adaDiving, bob, earlier, bobInTwo],
    ]);
    await queries.database.execute(
      sql`DELETE FROM registrations WHERE registration_guid = 'again'`,
    );
  });

  it('bright_completion_by_tag lists courses with one of the keywords, ignoring case', async () => {
    const byTag = (provider_tags: string) =>
      valuesOf('bright_completion_by_tag', { provider_tags });
    expect(await byTag('dance, WATER')).toEqual([ada, bob]);
    expect(await byTag('dance')).toEqual([]);
    await expect(rowsOf('bright_completion_by_tag')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('invitation_completion_matrix lists the learners of an invitation to realm access only', async () => {
    const matrix = (invitation_name: string, scope?: AccessScope) =>
      valuesOf('invitation_completion_matrix', { invitation_name }, scope);
    expect(await matrix('license')).toEqual([bob]);
    expect(await matrix('open')).toEqual([adaDiving]);
    expect(await matrix('none')).toEqual([]);
    expect(await matrix('license', scopeOf({ email: 'bob@example.org' }))).toEqual([]);
  });

  it('invitation_completion_matrix finds a name whose spaces arrive as plus signs', async () => {
    await queries.database.execute(
      sql`UPDATE invitations SET name = 'for all' WHERE realm_id = 1 AND name = 'open'`,
    );
    const named = { invitation_name: 'for+all' };
    expect(await valuesOf('invitation_completion_matrix', named)).toEqual([adaDiving]);
    await queries.database.execute(
      sql`UPDATE invitations SET name = 'open' WHERE realm_id = 1 AND name = 'for all'`,
    );
  });

  it('getLicenseKeysForUser lists licenses by purchaser or learner, to realm access only', async () => {
    const created = await queries.database.one(
      z.object({ at: z.date() }),
      sql`UPDATE invitations SET custom = '{"order_id":7,"initiating_user":"Ann@example.org"}'
          WHERE realm_id = 1 AND name = 'license' RETURNING created_at AS at`,
    );
    const time = toTimestamp(created.at);
    const license = ['license', '7', 'Ann@example.org', 'Swimming', time, 3, 1];
    const keys = (email: string, scope?: AccessScope) =>
      valuesOf('getLicenseKeysForUser', { email }, scope);
    expect(await valuesOf('getLicenseKeysForUser')).toEqual([license]);
    expect(await keys('ann@example.org')).toEqual([license]);
    expect(await keys('BOB@example.org')).toEqual([license]);
    expect(await keys('ada@example.org')).toEqual([]);
    expect(await keys('bob@example.org', scopeOf({ email: 'bob@example.org' }))).toEqual([]);
  });

  it('getLicenseKeysForUser and invitation_completion_matrix show a user-bound key what its user takes part in, in a realm of the clients of Bright', async () => {
    await queries.database.execute(
      sql`UPDATE invitations SET custom = '{"initiating_user":"Ann@example.org"}'
          WHERE realm_id = 1 AND name = 'license'`,
    );
    const compatibility = { clients: 'bright', userLicenses: false } as const;
    const bright = (email: string, more: Partial<AccessScope> = {}): AccessScope => ({
      ...scopeOf({ email }),
      compatibility,
      ...more,
    });
    const keysOf = async (scope: AccessScope, email = '') =>
      (await rowsOf('getLicenseKeysForUser', { email }, scope)).map((row) => row['license_key']);
    const matrixOf = (scope: AccessScope) =>
      valuesOf('invitation_completion_matrix', { invitation_name: 'license' }, scope);
    for (const email of ['ann@example.org', 'BOB@example.org']) {
      expect(await keysOf(bright(email))).toEqual(['license']);
      expect(await keysOf(bright(email, { wholeRealm: false }))).toEqual([]);
      expect(await keysOf(bright(email, { realmId: 2 }))).toEqual([]);
    }
    expect(await keysOf(bright('ada@example.org'))).toEqual([]);
    expect(await keysOf(bright('ada@example.org'), 'ann@example.org')).toEqual([]);
    expect(await matrixOf(bright('bob@example.org'))).toEqual([bob]);
    // Whoever has bought it does not see its learners.
    expect(await matrixOf(bright('ann@example.org'))).toEqual([]);
    expect(await rowsOf('license_seat_holders', {}, bright('ann@example.org'))).toEqual([]);
  });

  it('getLicenseKeysForUser reads custom data that is no JSON object', async () => {
    for (const custom of ['text', '[1]', '"\\u0000"', '{"order_id":"\\u0000"}', null]) {
      await queries.database.execute(
        sql`UPDATE invitations SET custom = ${custom} WHERE realm_id = 1 AND name = 'license'`,
      );
      expect(await rowsOf('getLicenseKeysForUser')).toMatchObject([
        { license_key: 'license', order_id: null, purchaser: null },
      ]);
    }
  });

  it('registrations_by_course_for_realm counts registrations by the title of the course', async () => {
    expect(await rowsOf('registrations_by_course_for_realm')).toEqual([
      { title: 'Swimming', num_registrations: 2, course_guid: 'swimming' },
      { title: 'diving', num_registrations: 1, course_guid: 'diving' },
      { title: 'swimming', num_registrations: 1, course_guid: 'swimming' },
    ]);
  });

  it('license_seats and license_seat_holders return rows of the realm to realm access only', async () => {
    const license = { invitation_name: 'license', course_guid: 'swimming' };
    const seats = { ...license, course_title: 'Swimming', seats_free: 3, seats_held: 1, seats: 4 };
    const held = { learner_id: 'bob@example.org', registration_guid: 'stuck' };
    expect(await rowsOf('license_seats')).toEqual([seats]);
    expect(await rowsOf('license_seat_holders')).toEqual([
      { ...license, course_title: 'Swimming', ...held },
    ]);
    expect(await rowsOf('license_seats', {}, realmTwo)).toMatchObject([{ seats: 9 }]);
    for (const scope of [scopeOf({ applicationIds: [1] }), scopeOf({ email: 'bob@example.org' })]) {
      expect(await rowsOf('license_seats', {}, scope)).toEqual([]);
      expect(await rowsOf('license_seat_holders', {}, scope)).toEqual([]);
    }
  });
});
