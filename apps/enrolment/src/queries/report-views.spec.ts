import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AccessScope } from '#libs/contracts';
import { scopeOf } from '../enrolment.fixture.ts';
import { type QueriesFixture, startQueriesFixture } from './queries.fixture.ts';
import { inReportTransaction } from './report-transaction.ts';

describe('the views of stored queries', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
    await queries.database.query(
      `INSERT INTO registrations (realm_id, provider_application_id, registration_guid, course_guid,
         learner_id, provider_state)
       SELECT 1, 1, 'reg-' || n, 'course-' || n % 500, 'learner-' || n || '@example.org', 'ready'
       FROM generate_series(1, 20000) AS n`,
    );
    await queries.database.query('VACUUM ANALYZE registrations');
  });
  afterAll(() => queries.stop());

  const run = (scope: AccessScope | null, sql: string) =>
    inReportTransaction(queries.database, { access: 'READ ONLY', scope }, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(sql);
      return rows;
    });

  it('are served by the index of learners for a user, and of courses for an exact course', async () => {
    const plan = async (scope: AccessScope, sql: string) =>
      JSON.stringify(await run(scope, `EXPLAIN ${sql}`));
    const user = scopeOf({ email: 'learner-7@example.org' });
    const all = 'SELECT registration_guid FROM registrations';
    expect(await plan(user, all)).toContain('registrations_by_learner');
    expect(await plan(scopeOf(), `${all} WHERE course_guid = 'course-7'`)).toContain(
      'registrations_by_course',
    );
    expect(await run(user, all)).toEqual([{ registration_guid: 'reg-7' }]);
  });

  it('are empty without a scope, and can only be read', async () => {
    const views = await run(
      null,
      `SELECT relname FROM pg_class WHERE relnamespace = 'reports'::regnamespace`,
    );
    expect(views).toHaveLength(6);
    for (const { relname } of views) {
      expect(await run(null, `SELECT * FROM ${relname as string}`)).toEqual([]);
    }
    await expect(run(scopeOf(), 'DELETE FROM enrolment.registrations')).rejects.toThrow(
      'read-only',
    );
    await expect(run(scopeOf(), 'SET TRANSACTION READ WRITE')).rejects.toThrow('read-write mode');
  });
});
