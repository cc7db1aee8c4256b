import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countRegistrationsByDay,
  deleteRegistration,
  registrationsCounted,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { testScope } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { CountRegistrations } from './count-registrations.ts';
import { DeleteCourseRegistrations } from './delete-registration.ts';
import { ImportCrawl } from './import-crawl.ts';

const at = '2026-01-01T00:00:00Z';
const applicationId = 1;

describe('the count of the registrations of a course', () => {
  let enrolment: EnrolmentFixture;
  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  afterAll(() => enrolment.stop());

  const counter = () => enrolment.app.get(CountRegistrations);
  const age = () =>
    enrolment.database.transaction(async () => {
      // Without it, the update and a count could lock the same rows in different orders.
      await enrolment.database.execute(
        sql`LOCK TABLE registration_count_changes IN SHARE ROW EXCLUSIVE MODE`,
      );
      await enrolment.database.execute(
        sql`UPDATE registration_count_changes SET changed_at = now() - interval '1 second'`,
      );
    });
  const published = async () =>
    (await enrolment.published(registrationsCounted.name)).map((each) =>
      registrationsCounted.payload.parse(each),
    );
  /** Counts what has changed and returns what was published of a course. */
  const count = async (courseGuid: string) => {
    const before = (await published()).length;
    await age();
    await counter().countChanged();
    return (await published())
      .slice(before)
      .flatMap(({ counts }) => counts)
      .filter((each) => each.courseGuid === courseGuid)
      .map(({ registrations }) => registrations);
  };
  const insert = (courseGuid: string, parts: Record<string, unknown> = {}) => {
    const registrationGuid = randomUUID();
    const inserted = enrolment.insert(1, courseGuid, 'ada@example.org', registrationGuid, parts);
    return inserted.then(() => registrationGuid);
  };
  const crawl = (sequence: number, outcome: 'crawled' | 'deleted', ...guids: string[]) =>
    enrolment.app.get(ImportCrawl).import({
      applicationId,
      realmId: 1,
      sequence,
      crawledAt: at,
      crawlType: 'course',
      outcomes: guids.map((registrationGuid) =>
        outcome === 'deleted'
          ? { outcome, registrationGuid }
          : {
              outcome,
              registrationGuid,
              digest: '0'.repeat(32),
              result: { ...result, registrationGuid },
            },
      ),
    });

  it('rises by a create once the provider holds the registration', async () => {
    const before = (await count('swimming'))[0] ?? 0;
    await enrolment.create('ada@example.org');
    await enrolment.create('bob@example.org');
    expect(await count('swimming')).toEqual([before + 2]);
    const { registration_guid: registrationGuid } = await enrolment.create('cyd@example.org');
    await enrolment.bus.request(deleteRegistration, { scope: scopeOf(), registrationGuid });
    expect(await count('swimming')).toEqual([]);
  });

  it('leaves out pending, inactive and deleted registrations', async () => {
    const settleAfter = { settle_after: new Date() };
    await insert('golf', { provider_state: 'pending', ...settleAfter });
    await insert('golf', { provider_state: 'refused', ...settleAfter });
    await insert('golf', { active: false });
    await insert('golf', { deletion_sequence: 1 });
    expect(await count('golf')).toEqual([]);
    await insert('golf', { provider_state: 'waiting', initialize_after: new Date() });
    await insert('golf', { provider_state: 'local' });
    expect(await count('golf')).toEqual([2]);
  });

  it('follows crawls that import, delete and find a registration again', async () => {
    await crawl(1, 'crawled', 'one', 'two');
    expect(await count('chess')).toEqual([2]);
    await crawl(2, 'deleted', 'one');
    expect(await count('chess')).toEqual([1]);
    await crawl(2, 'deleted', 'one');
    await crawl(1, 'crawled', 'one');
    expect(await count('chess')).toEqual([]);
    await crawl(3, 'crawled', 'one');
    expect(await count('chess')).toEqual([2]);
  });

  it('falls to 0 with the delete of the course', async () => {
    await Promise.all([insert('judo'), insert('judo'), insert('judo', { active: false })]);
    expect(await count('judo')).toEqual([2]);
    await enrolment.app.get(DeleteCourseRegistrations).deleteAll({
      courseId: 1,
      applicationId,
      courseGuid: 'judo',
      title: 'Judo',
      deleted: true,
      version: 2,
      keywords: [],
      registrationsDeletedAt: '2100-01-01T00:00:00.000Z',
    });
    expect(await count('judo')).toEqual([0]);
  });

  it('the registrations of a course are counted by the days of their creation, UTC, exactly after a sweep too', async () => {
    const days = async (scope = scopeOf()) => {
      const input = { scope, courseGuid: 'rugby', since: '2026-01-02' };
      return (await enrolment.bus.request(countRegistrationsByDay, input)).days;
    };
    const createdAt = (created_at: string) => insert('rugby', { created_at });
    await createdAt('2026-01-01T23:59:59Z');
    const first = await createdAt('2026-01-02T00:00:00Z');
    await Promise.all([createdAt('2026-01-02T23:59:59Z'), createdAt('2026-01-04T12:00:00Z')]);
    await insert('rugby', { created_at: '2026-01-05T12:00:00Z', active: false });
    await count('rugby');
    const [fourth] = [{ day: '2026-01-04', registrations: 1 }];
    expect(await days()).toEqual([{ day: '2026-01-02', registrations: 2 }, fourth]);
    await enrolment.database.execute(
      sql`UPDATE registrations SET active = false WHERE registration_guid = ${first}`,
    );
    await count('rugby');
    expect(await days()).toEqual([{ day: '2026-01-02', registrations: 1 }, fourth]);
    await enrolment.database.execute(
      sql`UPDATE registration_day_counts SET registrations = 99, created_on = created_on + 1000`,
    );
    await counter().recount({ applicationId });
    expect(await days()).toEqual([{ day: '2026-01-02', registrations: 1 }, fourth]);
    expect(await days(testScope({ realmId: 2, applicationIds: [3], wholeRealm: true }))).toEqual(
      [],
    );
    const ofUser = scopeOf({ email: 'ada@example.org' });
    await expect(days(ofUser)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('the count of the registrations of a course is published once for all changes of a second, with rising versions, whatever the number of replicas', async () => {
    const replica = await enrolment.addReplica();
    await age();
    await counter().countChanged();
    await insert('polo');
    expect(await counter().countChanged()).toBe(false);
    await insert('polo');
    const before = (await published()).length;
    await age();
    await Promise.all(
      [counter(), replica.get(CountRegistrations), counter()].map((each) => each.countChanged()),
    );
    await insert('polo');
    await age();
    await counter().countChanged();
    const events = (await published()).slice(before);
    expect(events).toMatchObject([
      { applicationId, counts: [{ courseGuid: 'polo', registrations: 2 }] },
      { applicationId, counts: [{ courseGuid: 'polo', registrations: 3 }] },
    ]);
    const [first, second] = events.map(({ counts }) => counts[0]?.version ?? 0);
    expect(second).toBeGreaterThan(first ?? 0);
  });

  it('the count of the registrations of a course is exact after concurrent writes, counts and recounts', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await insert('yoga');
        await age();
        await (index % 10 === 0 ? counter().recount({ applicationId }) : counter().countChanged());
      }),
    );
    await age();
    await counter().countChanged();
    const [row] = await enrolment.database.many(
      z.object({ registrations: z.number() }),
      sql`SELECT registrations FROM registration_counts WHERE course_guid = 'yoga'`,
    );
    expect(row).toEqual({ registrations: 40 });
  });

  it('the count of the registrations of a course is corrected and published for every course after a full sweep', async () => {
    await insert('tennis');
    await count('tennis');
    await enrolment.database.execute(sql`UPDATE registration_counts SET registrations = 99`);
    const before = (await published()).length;
    await counter().recount({ applicationId });
    const counts = (await published()).slice(before).flatMap((event) => event.counts);
    const stored = await enrolment.database.many(
      z.object({ courseGuid: z.string(), registrations: z.number() }),
      sql`SELECT course_guid AS "courseGuid",
                 count(*) FILTER (
                   WHERE settle_after IS NULL AND active AND deleted IS NULL
                 ) AS registrations
          FROM registrations GROUP BY course_guid`,
    );
    expect(counts).toEqual(expect.arrayContaining(stored.filter(isCounted).map(toMatch)));
    expect(await count('tennis')).toEqual([]);
  });
});

const isCounted = ({ registrations }: { registrations: number }) => registrations > 0;
const toMatch = (count: object) => expect.objectContaining(count) as unknown;

const result = {
  courseGuid: 'chess',
  courseTitle: 'Chess',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada@example.org', email: 'ada@example.org', firstName: '', lastName: '' },
  ...({ completion: 'incomplete', success: 'unknown', score: null, totalSeconds: 0 } as const),
  attempts: 1,
  createdAt: at,
  updatedAt: at,
  completedAt: null,
  accessedAt: null,
  activity: null,
};
