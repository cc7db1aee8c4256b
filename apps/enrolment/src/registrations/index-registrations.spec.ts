import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  indexRegistrations,
  listedRegistrationRecord,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { CopyCourse } from '../courses/copy-course.ts';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

const realmTwo = { ...scopeOf({ applicationIds: [3] }), realmId: 2 } as AccessScope;
const unconfirmed = (state: 'pending' | 'refused') => ({
  provider_state: state,
  settle_after: new Date(),
});

describe('registration index', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    await enrolment.insert(1, 'swimming', 'Ada@Example.org', 'ada-1');
    await enrolment.insert(1, 'swimming', 'ada@example.org', 'ada-2');
    await enrolment.insert(1, 'diving', 'bob@example.org', 'bob-1');
    await enrolment.insert(2, 'swimming', 'ada@example.org', 'ada-in-2');
    await enrolment.insert(3, 'swimming', 'ada@example.org', 'ada-in-3');
    await enrolment.insert(1, 'diving', 'ada@example.org', 'ada-inactive', { active: false });
    await enrolment.insert(1, 'diving', 'ada@example.org', 'ada-deleted', {
      deletion_sequence: 1,
      custom: '{"a": 1}',
    });
    await enrolment.insert(1, 'diving', 'ada@example.org', 'ada-pending', unconfirmed('pending'));
    await enrolment.insert(1, 'diving', 'ada@example.org', 'ada-refused', unconfirmed('refused'));
  });
  afterAll(() => enrolment.stop());

  const guids = async (...input: Parameters<EnrolmentFixture['index']>) =>
    (await enrolment.index(...input)).map((record) => record.registration_guid);

  it('returns confirmed registrations, deleted ones included, inactive ones excluded', async () => {
    expect(await guids()).toEqual(['ada-1', 'ada-2', 'bob-1', 'ada-in-2', 'ada-deleted']);
  });

  it('leaves out deleted registrations with include_deleted=f', async () => {
    const withoutDeleted = await guids({}, { includeDeleted: false });
    expect(withoutDeleted).toEqual(['ada-1', 'ada-2', 'bob-1', 'ada-in-2']);
    const latest = { includeDeleted: true, lastOnly: true };
    expect(await guids({ learnerId: 'ada@example.org' }, latest)).toEqual(['ada-in-2']);
  });

  it('returns all others beside registrations whose texts nothing could carry', async () => {
    const scope = scopeOf({ email: 'long@example.org' });
    const text = (length: number) => JSON.stringify('x'.repeat(length));
    const insert = (guid: string, parts: Record<string, string>) =>
      enrolment.insert(1, 'swimming', 'long@example.org', guid, parts);
    await insert('short', { custom: text(1) });
    for (const guid of ['long-1', 'long-2']) await insert(guid, { custom: text(7_600_000) });
    await insert('report', { full_result: text(7_600_000), course_result: 'short' });
    // Each is sent, but all together exceed what a message of the bus can carry.
    const many = Array.from({ length: 40 }, (_, index) => `full-${index}`);
    for (const guid of many) await insert(guid, { custom: text(500_000) });
    const records = await enrolment.index({ learnerId: 'long@example.org' }, { scope });
    expect(records.map((record) => record.registration_guid)).toEqual([
      ...['short', 'long-1', 'long-2', 'report'],
      ...many,
    ]);
    const [short, long, , report, full] = records;
    expect([short?.custom, long?.custom]).toEqual(['x', null]);
    expect(report).toMatchObject({ full_result: null, course_result: 'short' });
    expect(full?.custom).toHaveLength(500_000);
    await enrolment.database.execute(
      sql`DELETE FROM registrations WHERE learner_id = 'long@example.org'`,
    );
  });

  it('returns the registration record', async () => {
    const [record] = await enrolment.index({ registrationGuid: 'ada-deleted' });
    expect(listedRegistrationRecord.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      learner_id: 'ada@example.org',
      course_guid: 'diving',
      custom: { a: 1 },
      deleted: 1,
      hosted_app_id: 1,
      hosted_course_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      last_crawled_at: null,
    });
  });

  it('combines the filters course, learner in any case, and GUID', async () => {
    expect(await guids({ courseGuid: 'diving' })).toEqual(['bob-1', 'ada-deleted']);
    expect(await guids({ learnerId: 'ADA@example.ORG', courseGuid: 'swimming' })).toEqual([
      'ada-1',
      'ada-2',
      'ada-in-2',
    ]);
    expect(await guids({ registrationGuid: 'bob-1' })).toEqual(['bob-1']);
    expect(await guids({ registrationGuid: 'bob-1', learnerId: 'ada@example.org' })).toEqual([]);
    expect(await guids({ courseGuid: 'div' })).toEqual([]);
    expect(await guids({ courseGuid: '' })).toEqual([]);
  });

  it('returns the registrations for any of several courses', async () => {
    expect(await guids({ courseGuids: ['diving', 'unknown'] })).toEqual(['bob-1', 'ada-deleted']);
    expect(await guids({ courseGuids: ['swimming', 'diving'] })).toEqual(await guids());
    expect(await guids({ courseGuids: ['diving'], courseGuid: 'swimming' })).toEqual([]);
  });

  it('returns only the newest registration with last_only, never a deleted one', async () => {
    expect(await guids({ learnerId: 'ada@example.org' }, { lastOnly: true })).toEqual(['ada-in-2']);
    const scope = scopeOf({ applicationIds: [1] });
    expect(await guids({ learnerId: 'ada@example.org' }, { scope, lastOnly: true })).toEqual([
      'ada-2',
    ]);
    expect(await guids({ registrationGuid: 'ada-deleted' }, { lastOnly: true })).toEqual([]);
  });

  it('returns only registrations of applications that the scope reaches', async () => {
    expect(await guids({}, { scope: scopeOf({ applicationIds: [2] }) })).toEqual(['ada-in-2']);
    expect(await guids({}, { scope: realmTwo })).toEqual(['ada-in-3']);
    expect(await guids({ registrationGuid: 'bob-1' }, { scope: realmTwo })).toEqual([]);
    expect(await guids({}, { scope: scopeOf({ applicationIds: [] }) })).toEqual([]);
  });

  it('returns only the own registrations for a user-bound key', async () => {
    const scope = scopeOf({ email: 'BOB@example.org' });
    expect(await guids({}, { scope })).toEqual(['bob-1']);
    expect(await guids({ learnerId: 'bob@EXAMPLE.org' }, { scope })).toEqual(['bob-1']);
    await expect(guids({ learnerId: 'ada@example.org' }, { scope })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(await guids({ patterns: { learnerId: ['^ada'] } }, { scope })).toEqual([]);
  });

  it('returns inactive registrations with include_inactive, and the field active', async () => {
    const filters = { courseGuid: 'diving' };
    const records = await enrolment.index(filters, { includeInactive: true });
    expect(records.map((record) => [record.registration_guid, record.active])).toEqual([
      ['bob-1', true],
      ['ada-inactive', false],
      ['ada-deleted', true],
    ]);
    expect(await guids(filters, { includeInactive: true, lastOnly: true })).toEqual(['bob-1']);
  });

  it('returns the course id of the newest copy of a course', async () => {
    const copyCourse = enrolment.app.get(CopyCourse);
    const publish = (courseId: number, version: number, parts: { deleted?: boolean } = {}) =>
      copyCourse.copy({
        courseId,
        applicationId: 2,
        courseGuid: 'swimming',
        title: `Swimming ${version}`,
        deleted: false,
        version,
        keywords: [],
        ...parts,
      });
    const courseOf = async () => (await enrolment.index({ registrationGuid: 'ada-in-2' }))[0];
    await publish(71, 3);
    expect(await courseOf()).toMatchObject({ hosted_course_id: 71 });
    // Created again under a new id; an older version of the first arrives late.
    await publish(72, 1);
    await publish(71, 4, { deleted: true });
    await publish(71, 2);
    expect(await courseOf()).toMatchObject({ hosted_course_id: 72 });
    const copy = await enrolment.database.one(
      z.object({ title: z.string(), deleted: z.boolean() }),
      sql`SELECT title, deleted FROM courses WHERE id = 71`,
    );
    expect(copy).toEqual({ title: 'Swimming 4', deleted: true });
  });

  it('returns each registration once while others are inserted', async () => {
    const scope = scopeOf({ applicationIds: [9] });
    for (let n = 0; n < 25; n += 1)
      await enrolment.insert(9, 'swimming', 'a@example.org', `before-${n}`);
    const all = { lastOnly: false, includeInactive: false, includeDeleted: true };
    const input = { scope, filters: {}, ...all };
    const seen: string[] = [];
    let added = 0;
    for await (const { items: page } of enrolment.bus.pages(indexRegistrations, input, 4)) {
      seen.push(...page.map((record) => record.registration_guid));
      if (added < 10)
        await enrolment.insert(9, 'swimming', 'b@example.org', `meanwhile-${added++}`);
    }
    expect(seen.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, n) => `before-${n}`));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
