import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  indexRegistrations,
  type ListedRegistrationRecord,
  type PageRequest,
  type RegistrationFilters,
  type RegistrationSort,
  registrationSorts,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { orderedRegistrations, registrationOrders } from './ordered-registrations.ts';

/** A plan of PostgreSQL, and all plans below it. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
const planRow = z.object({ 'QUERY PLAN': z.array(z.looseObject({ Plan: z.custom<Plan>() })) });
const plansOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(plansOf)];

const minute = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
const timestamp = (number: number) => minute(number).replace('.000', '');

describe('a list of registrations in an order', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    const insert = (
      application: number,
      guid: string,
      updated: number,
      parts: Record<string, unknown> = {},
    ) =>
      enrolment.insert(application, 'swimming', 'ada@example.org', guid, {
        created_at: minute(0),
        updated_at: minute(updated),
        ...parts,
      });
    await insert(1, 'a', 3, { complete: 'complete', success: 'failed' });
    await insert(2, 'b', 1, { complete: 'complete', success: 'succeeded' });
    await insert(1, 'c', 2, { complete: 'incomplete' });
    await insert(2, 'd', 2);
    await insert(1, 'e', 9, { created_at: minute(8), complete: 'incomplete', success: 'failed' });
    await insert(1, 'inactive', 4, { active: false });
    await insert(3, 'foreign', 4);
  });
  afterAll(() => enrolment.stop());

  const guids = async (sort?: RegistrationSort, filters: RegistrationFilters = {}, pageSize = 2) =>
    (await enrolment.index(filters, { pageSize, ...(sort && { sort }) }))
      .map((record) => record.registration_guid)
      .join(' ');
  const page = (sort: RegistrationSort, request: PageRequest, filters: RegistrationFilters = {}) =>
    enrolment.bus.page(
      indexRegistrations,
      {
        scope: scopeOf(),
        filters,
        lastOnly: false,
        includeInactive: false,
        includeDeleted: true,
        sort,
      },
      request,
    );

  it('a list of registrations is in the order of ids or of updated_at, forwards or backwards, on pages of any size', async () => {
    for (const size of [1, 2, 3, 500]) {
      expect(await guids('id', {}, size)).toBe('a b c d e');
      expect(await guids('-id', {}, size)).toBe('e d c b a');
      expect(await guids('updated_at', {}, size)).toBe('b c d a e');
      expect(await guids('-updated_at', {}, size)).toBe('e a d c b');
    }
  });

  it('a list of registrations is filtered by complete, success, updated_since and created_since in every order', async () => {
    const found: [RegistrationFilters, string][] = [
      [{ complete: 'complete' }, 'a b'],
      [{ success: 'failed' }, 'a e'],
      [{ complete: 'incomplete', success: 'failed' }, 'e'],
      [{ complete: 'unknown', success: 'unknown' }, 'd'],
      [{ updatedSince: timestamp(2) }, 'a c d e'],
      [{ updatedSince: timestamp(3), success: 'failed' }, 'a e'],
      [{ createdSince: timestamp(0) }, 'a b c d e'],
      [{ createdSince: timestamp(8) }, 'e'],
      [{ createdSince: timestamp(9) }, ''],
      [{ createdSince: timestamp(1), complete: 'incomplete' }, 'e'],
      [{ learnerId: 'ADA@example.org', complete: 'incomplete' }, 'c e'],
      [{ patterns: { registrationGuid: ['[a-c]'] }, updatedSince: timestamp(2) }, 'a c'],
    ];
    for (const [filters, expected] of found) {
      expect(await guids(undefined, filters)).toBe(expected);
      for (const sort of registrationSorts) {
        expect((await guids(sort, filters)).split(' ').toSorted().join(' ')).toBe(expected);
      }
    }
  });

  it('a list of registrations in an order shows no other tenant, with the cursor of another one either', async () => {
    const scope = scopeOf({ applicationIds: [2] });
    for (const sort of registrationSorts) {
      const { next } = await page(sort, { cursor: null, limit: 1 });
      const { items } = await enrolment.bus.page(
        indexRegistrations,
        { scope, filters: {}, lastOnly: false, includeInactive: true, includeDeleted: true, sort },
        { cursor: next, limit: 10 },
      );
      expect(items.length).toBeGreaterThan(0);
      expect(items.every(({ hosted_app_id }) => hosted_app_id === 2)).toBe(true);
    }
    const own = scopeOf({ email: 'bob@example.org' });
    expect(await enrolment.index({}, { scope: own, sort: 'updated_at' })).toEqual([]);
    expect(
      await enrolment.index({}, { scope: scopeOf({ applicationIds: [] }), sort: '-id' }),
    ).toEqual([]);
  });

  it('a list of registrations rejects a cursor of another order and one that it has not made', async () => {
    for (const sort of registrationSorts) {
      const { next: cursor } = await page(sort, { cursor: null, limit: 1 });
      for (const other of registrationSorts.filter((each) => each !== sort)) {
        await expect(page(other, { cursor, limit: 1 })).rejects.toMatchObject({ code: 'invalid' });
      }
    }
    const forged = ['', 'x', 'updated_at 9999999999999999 1', 'updated_at 1', '-id x', '1 OR 1'];
    for (const text of forged) {
      const cursor = Buffer.from(text).toString('base64url');
      for (const sort of registrationSorts) {
        await expect(page(sort, { cursor, limit: 1 })).rejects.toMatchObject({ code: 'invalid' });
      }
    }
  });

  it('a list of registrations counts all that match, whatever the page', async () => {
    const { items, total } = await page('-updated_at', { cursor: null, limit: 2, count: true });
    expect([items.length, total]).toEqual([2, 5]);
    const failed = { success: 'failed' } as const;
    const { next } = await page('id', { cursor: null, limit: 1 }, failed);
    expect(await page('id', { cursor: next, limit: 1, count: true }, failed)).toMatchObject({
      total: 2,
    });
    expect(await page('id', { cursor: null, limit: 1 })).not.toHaveProperty('total');
  });

  it('a list by updated_at shows a registration again that is updated while its pages are read, and leaves none out', async () => {
    const application = 9;
    const scope = scopeOf({ applicationIds: [application] });
    const names = Array.from({ length: 6 }, (_, index) => `moving-${index}`);
    for (const name of names) {
      await enrolment.insert(application, 'rowing', 'bob@example.org', name, {
        updated_at: minute(names.indexOf(name)),
      });
    }
    const read = async (sort: RegistrationSort) => {
      const seen: string[] = [];
      for (
        let cursor: string | null = null, first = true;
        first || cursor !== null;
        first = false
      ) {
        const { items, next }: { items: ListedRegistrationRecord[]; next: string | null } =
          await enrolment.bus.page(
            indexRegistrations,
            {
              scope,
              filters: {},
              lastOnly: false,
              includeInactive: false,
              includeDeleted: true,
              sort,
            },
            { cursor, limit: 2 },
          );
        seen.push(...items.map((record) => record.registration_guid));
        if (first) {
          const changed = ['moving-0', 'moving-3'];
          await enrolment.database.execute(
            sql`UPDATE registrations SET updated_at = now() WHERE registration_guid = ANY(${changed})`,
          );
        }
        cursor = next;
      }
      return seen.map((name) => name.at(-1)).join('');
    };
    expect(await read('updated_at')).toBe('01245' + '03');
    expect(await read('id')).toBe('012345');
  });

  describe('in a large table', () => {
    const many = 40_000;
    beforeAll(async () => {
      // The oldest are complete, as in an installation that has been used for long: a walk that filters would read them all.
      await enrolment.database.execute(
        sql`INSERT INTO registrations (realm_id, provider_application_id, registration_guid,
              course_guid, learner_id, provider_state, complete, success, created_at, updated_at)
            SELECT 1, 11 + n % 2, 'many-' || n, 'course-' || n % 500, n || '@example.org', 'ready',
                   CASE WHEN n < ${many - 1000} THEN 'complete' ELSE 'incomplete' END, 'unknown',
                   timestamptz '2020-01-01' + n * interval '1 hour',
                   timestamptz '2020-01-01' + n * interval '1 hour'
            FROM generate_series(1, ${many}) AS n`,
      );
      await enrolment.database.execute(sql`VACUUM ANALYZE registrations`);
    });

    const scope = scopeOf({ applicationIds: [11, 12] });
    const rows = 51;
    const planOf = async (sort: RegistrationSort, filters: RegistrationFilters = {}) => {
      const order = registrationOrders[sort];
      const listed = orderedRegistrations(scope, filters, order, { cursor: null, rows });
      const [explained] = await enrolment.database.many(
        planRow,
        sql`EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM (${listed} ORDER BY ${order.order} LIMIT ${rows}) AS page`,
      );
      const plans = plansOf(explained!['QUERY PLAN'][0]!.Plan);
      const reads = plans.filter((each) => each['Relation Name'] === 'registrations');
      return {
        nodes: new Set(plans.map((each) => each['Node Type'])),
        indexes: new Set(reads.map((each) => each['Index Name'])),
        /** The most registrations that a node of the plan has read in vain. */
        removed: Math.max(...reads.map((each) => each['Rows Removed by Filter'] ?? 0)),
        /** The most rows that a node of the plan has passed on, in all of its loops. */
        passed: Math.max(
          ...plans.map((each) => (each['Actual Rows'] ?? 0) * (each['Actual Loops'] ?? 0)),
        ),
      };
    };
    const hour = (number: number) =>
      `${new Date(Date.UTC(2020, 0, 1, number)).toISOString().slice(0, 19)}Z`;

    it.each<[RegistrationSort, RegistrationFilters, string]>([
      ['updated_at', {}, 'registrations_by_update'],
      ['-updated_at', {}, 'registrations_by_update'],
      ['updated_at', { updatedSince: hour(1_000) }, 'registrations_by_update'],
      ['updated_at', { createdSince: hour(many - 200) }, 'registrations_by_update'],
      ['updated_at', { complete: 'incomplete' }, 'registrations_by_update'],
      ['-updated_at', { complete: 'complete' }, 'registrations_by_update'],
      ['id', { complete: 'incomplete' }, 'registrations_by_result'],
      ['-id', { complete: 'complete', success: 'unknown' }, 'registrations_by_result'],
      ['-id', {}, 'registrations_pkey'],
      ['id', { createdSince: hour(many - 20_000) }, 'registrations_pkey'],
    ])(
      'a page by %s of %j reads as many registrations as it has, of each application in the order of %s',
      async (sort, filters, index) => {
        const { nodes, indexes, passed } = await planOf(sort, filters);
        expect(nodes).not.toContain('Seq Scan');
        expect([...indexes]).toContain(index);
        // Of nine combinations of results, of two applications, most are empty.
        expect(passed).toBeLessThan(18 * rows);
      },
    );

    it('a list of registrations created since a time has all of them, and begins by the ids of that time', async () => {
      const filters = { createdSince: hour(many - 120) };
      for (const sort of ['id', '-id'] as const) {
        const found = await enrolment.index(filters, { scope, sort });
        expect(found).toHaveLength(121);
      }
      const { passed } = await planOf('id', filters);
      expect(passed).toBeLessThan(500);
    });

    it('a page of results that no registration has reads none, whatever the statistics say', async () => {
      const rolledBack = new Error('rolled back');
      const reading = enrolment.database.transaction(async () => {
        const others = sql`complete <> 'complete' OR success <> 'unknown'`;
        await enrolment.database.execute(sql`DELETE FROM registrations WHERE ${others}`);
        await enrolment.database.execute(sql`ANALYZE registrations`);
        const { indexes, removed } = await planOf('id', { complete: 'incomplete' });
        expect([...indexes]).toEqual(['registrations_by_result']);
        expect(removed).toBe(0);
        throw rolledBack;
      });
      await expect(reading).rejects.toBe(rolledBack);
    });
  });
});
