import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@registrar/bus';
import { type AccessScope, findLatestRegistrations } from '@registrar/contracts';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('find-latest-registrations', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    await enrolment.insert(1, 'swimming', 'ada@example.org', 'older');
    await enrolment.insert(1, 'swimming', 'Ada@Example.org', 'newer');
    await enrolment.insert(1, 'swimming', 'ada@example.org', 'inactive', { active: false });
    await enrolment.insert(1, 'swimming', 'ada@example.org', 'deleted', { deletion_sequence: 1 });
    await enrolment.insert(1, 'swimming', 'bob@example.org', 'of-bob');
    await enrolment.insert(1, 'diving', 'bob@example.org', 'diving-of-bob');
    await enrolment.insert(2, 'swimming', 'ada@example.org', 'in-2');
    await enrolment.insert(3, 'swimming', 'ada@example.org', 'in-realm-2');
  });
  afterAll(() => enrolment.stop());

  const requested = [
    { applicationId: 1, courseGuid: 'swimming' },
    { applicationId: 1, courseGuid: 'diving' },
    { applicationId: 2, courseGuid: 'swimming' },
    { applicationId: 3, courseGuid: 'swimming' },
  ];
  const latest = async (scope: AccessScope, courses = requested) => {
    const { registrations } = await enrolment.bus.request(findLatestRegistrations, {
      scope,
      courses,
      cursor: null,
    });
    return registrations.map((record) => record.registration_guid);
  };

  it('returns the newest registration of each course and application that is neither inactive nor deleted', async () => {
    const scope = scopeOf({ email: 'ada@example.org' });
    expect(await latest(scope)).toEqual(['newer', 'in-2']);
    expect(await latest(scope, [])).toEqual([]);
    // The course of one application with the application of another.
    expect(await latest(scope, requested.slice(1, 3))).toEqual(['in-2']);
  });

  it('returns the number of the user’s registrations for each course', async () => {
    const scope = scopeOf({ email: 'ada@example.org' });
    const found = await enrolment.bus.request(findLatestRegistrations, {
      scope,
      courses: requested,
      cursor: null,
    });
    expect(found.registrations.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('returns long registrations in several replies', async () => {
    const scope = scopeOf({ email: 'long@example.org' });
    const custom = JSON.stringify('x'.repeat(700_000));
    await enrolment.insert(1, 'swimming', 'long@example.org', 'long-1', { custom });
    await enrolment.insert(1, 'diving', 'long@example.org', 'long-2', { custom });
    await enrolment.insert(2, 'swimming', 'long@example.org', 'long-3', { custom });
    const input = { scope, courses: requested };
    const { bus } = enrolment;
    const replies: string[][] = [];
    for (let cursor: string | null = null; ;) {
      const reply: ReplyOf<typeof findLatestRegistrations> = await bus.request(
        findLatestRegistrations,
        { ...input, cursor },
      );
      replies.push(reply.registrations.map((each) => each.registration_guid));
      cursor = reply.next ?? null;
      if (cursor === null) break;
    }
    expect(replies).toEqual([['long-1'], ['long-2'], ['long-3']]);
  });

  it('returns only registrations of applications that the scope reaches', async () => {
    const scope = scopeOf({ email: 'ada@example.org', applicationIds: [2] });
    expect(await latest(scope)).toEqual(['in-2']);
  });

  it('returns none for a scope without a user', async () => {
    expect(await latest(scopeOf())).toEqual([]);
  });
});
