import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/persistence';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
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

it('reads a page of a realm among many by an index, without the rest of its invitations', async () => {
  await database.query(
    `INSERT INTO invitations (realm_id, name, enabled, license, avoid_duplicate_registrations,
       no_updates_allowed)
     SELECT n % 100, 'invitation ' || n, true, false, false, false
     FROM generate_series(1, 20000) AS n`,
  );
  await database.query('VACUUM ANALYZE invitations');
  const plan = await database.query(
    'EXPLAIN SELECT * FROM invitations WHERE realm_id = $1 AND id > $2 ORDER BY id LIMIT 21',
    [7, 5000],
  );
  expect(JSON.stringify(plan)).toContain('invitations_by_realm');
});
