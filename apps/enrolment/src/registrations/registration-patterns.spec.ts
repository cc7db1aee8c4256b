import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RegistrationFilters, recrawlRegistrations } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import * as z from 'zod';
import { selectRegistrations } from './select-registrations.ts';

describe('regular expressions over registrations', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    await enrolment.insert(1, 'first-aid-1', 'Ada@example.org', 'reg-a1');
    await enrolment.insert(1, 'first-aid-2', 'ada@example.com', 'reg-a2');
    await enrolment.insert(2, 'fire-safety', 'bob@example.org', 'reg-b1');
    await enrolment.insert(3, 'first-aid-1', 'ada@example.org', 'other-realm');
  });
  afterAll(() => enrolment.stop());

  const guids = async (patterns: RegistrationFilters['patterns'], more: RegistrationFilters = {}) =>
    (await enrolment.index({ ...more, patterns })).map((record) => record.registration_guid);

  it('regular expressions over registrations match any part of a value, case-sensitively, in PostgreSQL’s dialect', async () => {
    expect(await guids({ learnerId: ['@example'] })).toEqual(['reg-a1', 'reg-a2', 'reg-b1']);
    expect(await guids({ learnerId: ['^ada'] })).toEqual(['reg-a2']);
    expect(await guids({ learnerId: ['(?i)^ada'] })).toEqual(['reg-a1', 'reg-a2']);
    expect(await guids({ courseGuid: ['aid-[[:digit:]]$'] })).toEqual(['reg-a1', 'reg-a2']);
    expect(await guids({ registrationGuid: ['1$'] })).toEqual(['reg-a1', 'reg-b1']);
    expect(await guids({ registrationGuid: [`' OR true --`] })).toEqual([]);
  });

  it('combine with each other and with other filters', async () => {
    expect(await guids({ learnerId: ['org$', 'a@'] })).toEqual(['reg-a1']);
    expect(await guids({ learnerId: ['org$'], courseGuid: ['^fire'] })).toEqual(['reg-b1']);
    expect(await guids({ learnerId: ['example'] }, { courseGuid: 'first-aid-2' })).toEqual([
      'reg-a2',
    ]);
    expect(await guids({ learnerId: [] })).toHaveLength(3);
  });

  it('regular expressions over registrations fail as invalid when malformed, in an index and in a recrawl', async () => {
    await expect(guids({ courseGuid: ['(('] })).rejects.toMatchObject({ code: 'invalid' });
    const recrawl = enrolment.bus.request(recrawlRegistrations, {
      scope: scopeOf(),
      filters: { patterns: { courseGuid: ['(('] } },
      lastOnly: false,
      which: 'all',
    });
    await expect(recrawl).rejects.toMatchObject({ code: 'invalid' });
  });

  /** Inserts 20,000 registrations of 41 learners in 500 courses. */
  const insertRegistrations = async () => {
    await enrolment.database.execute(
      sql`INSERT INTO registrations (realm_id, provider_application_id, registration_guid,
            course_guid, learner_id, provider_state)
          SELECT 1, 1, 'many-' || n, 'course-' || md5((n % 500)::text),
                 md5((n / 500)::text) || '@example.org', 'ready'
          FROM generate_series(1, 20000) AS n`,
    );
    await enrolment.database.execute(sql`VACUUM ANALYZE registrations`);
  };
  const planOf = async (filters: RegistrationFilters) => {
    const selected = selectRegistrations(scopeOf(), filters);
    const plan = await enrolment.database.many(
      z.object({ 'QUERY PLAN': z.string() }),
      sql`EXPLAIN SELECT r.id FROM (${selected}) AS r WHERE r.id > 0 ORDER BY r.id LIMIT 501`,
    );
    return JSON.stringify(plan);
  };

  it('only regular expressions over registrations use trigram indexes', async () => {
    await insertRegistrations();
    expect(await planOf({ patterns: { learnerId: ['c4ca4238a0'] } })).toContain(
      'registrations_learner_trigrams',
    );
    expect(await planOf({ patterns: { courseGuid: ['c4ca4238a0'] } })).toContain(
      'registrations_course_trigrams',
    );
    const [learnerId, courseGuid] = ['cfcd208495@example.org', 'course-cfcd208495'];
    expect(await planOf({ learnerId, courseGuid })).not.toContain('trigrams');
  });
});
