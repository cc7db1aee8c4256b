import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import * as z from 'zod';
import { scopeOf } from '../enrolment.fixture.ts';
import { enrolmentSchema } from '../schema.ts';
import { IndexInvitations } from './index-invitations.ts';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  database = await openDatabase(enrolmentSchema, server.url);
});
afterAll(async () => {
  await database.dataSource.destroy();
  await server.drop();
});

it('reads a page of a realm with the index invitations_by_realm', async () => {
  await database.execute(sql`
    INSERT INTO invitations (realm_id, name, enabled, license, avoid_duplicate_registrations,
      no_updates_allowed)
    SELECT n % 100, 'invitation ' || n, true, false, false, false
    FROM generate_series(1, 20000) AS n`);
  await database.execute(sql`VACUUM ANALYZE invitations`);
  const plan = await database.many(
    z.object({ 'QUERY PLAN': z.string() }),
    sql`EXPLAIN SELECT * FROM invitations WHERE realm_id = ${7} AND id > ${5000}
        ORDER BY id LIMIT 21`,
  );
  expect(JSON.stringify(plan)).toContain('invitations_by_realm');
});

it('lists the first 50,000 learners of an invitation, and others on pages of their own', async () => {
  await database.execute(sql`
    WITH added AS (
      INSERT INTO invitations (realm_id, name, enabled, license, avoid_duplicate_registrations,
        no_updates_allowed)
      SELECT 1, name, true, false, false, false
      FROM unnest(ARRAY['crowd 1', 'crowd 2', 'crowd 3']) AS name
      RETURNING id, name
    )
    INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
    SELECT id, 'learner' || n || '@example.org', n
    FROM added, generate_series(1, CASE name WHEN 'crowd 3' THEN 2 ELSE 50001 END) AS n`);
  const index = new IndexInvitations(database);
  const page = (cursor: string | null) =>
    index.index({ scope: scopeOf(), filters: {}, cursor, limit: 1_000 });
  const learners: number[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = null; ;) {
    const { items, next } = await page(cursor);
    const crowds = items.filter(({ name }) => name.startsWith('crowd'));
    if (crowds.length > 0) sizes.push(crowds.length);
    learners.push(...crowds.map((each) => each.learners.length));
    if (next === null) break;
    cursor = next;
  }
  expect(learners).toEqual([50_000, 50_000, 2]);
  expect(sizes).toEqual([1, 1, 1]);
});
