import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessScope } from '@registrar/contracts';
import { raw, sql } from '@registrar/persistence';
import * as z from 'zod';
import { scopeOf } from '../enrolment.fixture.ts';
import { type QueriesFixture, startQueriesFixture } from './queries.fixture.ts';
import { inQuerySandbox } from './query-sandbox.ts';

describe('the views of stored queries', () => {
  let queries: QueriesFixture;

  beforeAll(async () => {
    queries = await startQueriesFixture();
    await queries.database.execute(sql`
      INSERT INTO registrations (realm_id, provider_application_id, registration_guid, course_guid,
        learner_id, provider_state)
      SELECT 1, 1, 'reg-' || n, 'course-' || n % 500, 'learner-' || n || '@example.org', 'ready'
      FROM generate_series(1, 20000) AS n`);
    await queries.database.execute(sql`VACUUM ANALYZE registrations`);
  });
  afterAll(() => queries.stop());

  const run = (scope: AccessScope | null, text: string) =>
    inQuerySandbox(queries.database, { access: 'READ ONLY', scope }, (sandbox) =>
      sandbox.many(z.record(z.string(), z.unknown()), raw(text)),
    );

  it('the views of stored queries use the index of learners for a user, and the index of courses for one course', async () => {
    const plan = async (scope: AccessScope, text: string) =>
      JSON.stringify(await run(scope, `EXPLAIN ${text}`));
    const user = scopeOf({ email: 'learner-7@example.org' });
    const all = 'SELECT registration_guid FROM registrations';
    expect(await plan(user, all)).toContain('registrations_by_learner');
    expect(await plan(scopeOf(), `${all} WHERE course_guid = 'course-7'`)).toContain(
      'registrations_by_course',
    );
    expect(await run(user, all)).toEqual([{ registration_guid: 'reg-7' }]);
  });

  it('the views of stored queries are empty without a scope, and read-only', async () => {
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
