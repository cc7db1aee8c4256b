import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import * as z from 'zod';
import { enrolmentSchema } from '../schema.ts';

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
