import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, raw, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import * as z from 'zod';
import { scopeOf } from '../enrolment.fixture.ts';
import { enrolmentSchema } from '../schema.ts';
import { IndexInvitations } from './index-invitations.ts';
import { invitationColumns } from './invitation-record.ts';

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

it('reads the learners of one invitation only, although by the statistics it has them all', async () => {
  await database.execute(sql`TRUNCATE invitation_learners`);
  await database.execute(sql`
    WITH added AS (
      INSERT INTO invitations (realm_id, name, enabled, license, avoid_duplicate_registrations,
        no_updates_allowed)
      VALUES (2001, 'the only one', true, false, false, false)
      RETURNING id
    )
    INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
    SELECT id, 'learner' || n || '@example.org', n FROM added, generate_series(1, 1000) AS n`);
  await database.execute(sql`ANALYZE invitation_learners`);
  const lines = await database.many(
    z.object({ 'QUERY PLAN': z.string() }),
    sql`EXPLAIN SELECT ${invitationColumns(scopeOf())} FROM invitations AS i WHERE i.id = 1`,
  );
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/ on invitation_learners m .*\n +Index Cond: \(invitation_id = i\.id\)/);
});

it('measures the addresses of the learners', async () => {
  await database.execute(sql`
    WITH added AS (
      INSERT INTO invitations (realm_id, name, enabled, license, avoid_duplicate_registrations,
        no_updates_allowed)
      SELECT 1001, name, true, false, false, false FROM unnest(ARRAY['long 1', 'long 2']) AS name
      RETURNING id
    )
    INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
    SELECT id, n || repeat('x', 200) || '@example.org', n
    FROM added, generate_series(1, 6000) AS n`);
  const page = await new IndexInvitations(database).index({
    scope: { ...scopeOf(), realmId: 1001 },
    filters: {},
    cursor: null,
    limit: 10,
  });
  expect(page.items).toHaveLength(1);
});

it('looks registrations of an invitation up one by one, however old the statistics are', async () => {
  const addInvitations = (first: number, last: number, learners: number) =>
    database.execute(sql`
      WITH added AS (
        SELECT i AS invitation_id, 'stale' || i || '-' || n || '@example.org' AS learner, n
        FROM generate_series(${first}::integer, ${last}) AS i,
             generate_series(1, ${learners}::integer) AS n
      ), invitations_added AS (
        INSERT INTO invitations (id, realm_id, name, enabled, license,
          avoid_duplicate_registrations, no_updates_allowed)
        OVERRIDING SYSTEM VALUE
        SELECT DISTINCT invitation_id, 3, 'stale ' || invitation_id, true, false, false, false
        FROM added
      ), learners_added AS (
        INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
        SELECT invitation_id, learner, n FROM added
      ), registrations_added AS (
        INSERT INTO registrations (realm_id, provider_application_id, registration_guid,
          course_guid, learner_id, provider_state)
        SELECT 3, 1, learner, 'swimming', learner, 'ready' FROM added
        RETURNING id, learner_id
      )
      INSERT INTO invitation_registrations
        (invitation_id, learner_key, course_guid, registration_id, holds_seat)
      SELECT added.invitation_id, learner, 'swimming', r.id, false
      FROM added JOIN registrations_added AS r ON r.learner_id = learner`);
  await database.execute(sql`
    TRUNCATE invitations, invitation_learners, invitation_registrations, invitation_courses,
      invitation_seats, registrations`);
  const tables = [
    'invitation_learners',
    'invitation_registrations',
    'registrations',
    'invitations',
  ];
  for (const table of tables) {
    await database.execute(sql`ALTER TABLE ${raw(table)} SET (autovacuum_enabled = false)`);
  }
  await addInvitations(100_001, 100_001, 100);
  await database.execute(sql`ANALYZE`);
  await addInvitations(100_002, 101_000, 10);
  await addInvitations(101_001, 101_001, 2_000);
  const plan = JSON.stringify(
    await database.many(
      z.object({ 'QUERY PLAN': z.string() }),
      sql`EXPLAIN SELECT ${invitationColumns(scopeOf())} FROM invitations AS i WHERE i.id = 101001`,
    ),
  );
  expect(plan).not.toMatch(/Join Filter|Bitmap|Hash|Merge/);
  expect(plan).toMatch(/Index Cond: [^"]*lower\(m?\.?learner_id\) = a\.learner_key/);
});
