import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/persistence';
import { createTestDatabase, shapeOf, type TestDatabase } from '#libs/testing';
import { enrolmentSchema } from './schema.ts';

const all = enrolmentSchema.migrations;
const upTo = (count: number) => ({ ...enrolmentSchema, migrations: all.slice(0, count) });

/** The place of a migration. */
const since = (name: string) => all.findIndex((each) => each.name.startsWith(name));

describe('the schema of enrolment', () => {
  let fresh: TestDatabase;
  let old: TestDatabase;

  beforeAll(async () => {
    [fresh, old] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(() => Promise.all([fresh.drop(), old.drop()]));

  it('comes from every earlier version to the same, and keeps what is in it', async () => {
    for (let version = 1; version < all.length; version += 1) {
      const database = await openDatabase(upTo(version), old.url);
      await fill(database, version);
      await database.dataSource.destroy();
    }
    const database = await openDatabase(enrolmentSchema, old.url);
    const whole = await openDatabase(enrolmentSchema, fresh.url);
    expect(await shapeOf(database, enrolmentSchema)).toEqual(await shapeOf(whole, enrolmentSchema));
    const kept = await database.query<{ guid: string; missed: boolean; invitation: string | null }>(
      `SELECT r.registration_guid AS guid, r.missed, i.name AS invitation
       FROM registrations AS r
       LEFT JOIN invitation_registrations AS g ON g.registration_id = r.id
       LEFT JOIN invitations AS i ON i.id = g.invitation_id
       ORDER BY r.id`,
    );
    const versions = all.keys().filter((version) => since('Registrations1') < version);
    expect(kept).toEqual(
      [...versions].flatMap((version) => [
        {
          guid: `missed-${version}`,
          missed: true,
          invitation: since('Invitations1') < version ? `missed-${version}` : null,
        },
        { guid: `seen-${version}`, missed: false, invitation: null },
      ]),
    );
    await Promise.all([database, whole].map((each) => each.dataSource.destroy()));
  });
});

/** Rows as that version of the schema had them. */
async function fill(database: Database, version: number): Promise<void> {
  const has = (name: string) => since(name) < version;
  if (!has('Registrations1')) return;
  const swept = has('SweptRegistrations1') ? 'swept_sequence' : 'missed_sequence';
  const never = has('SweptRegistrations1') ? '0' : 'NULL';
  await database.query(
    `INSERT INTO registrations (
       realm_id, provider_application_id, registration_guid, course_guid, learner_id,
       provider_state, result_sequence, ${swept}
     ) VALUES (1, 1, $1, 'swimming', 'ada@example.com', 'ready', 5, 7),
              (1, 1, $2, 'swimming', 'bob@example.com', 'ready', 5, ${never})`,
    [`missed-${version}`, `seen-${version}`],
  );
  if (!has('Invitations1')) return;
  await database.query(
    `WITH made AS (
       INSERT INTO invitations (
         realm_id, name, enabled, license, avoid_duplicate_registrations, no_updates_allowed
       ) VALUES (1, $1, true, true, false, false) RETURNING id
     )
     INSERT INTO invitation_registrations
     SELECT made.id, r.learner_id, r.course_guid, r.id, true FROM made, registrations AS r
     WHERE r.registration_guid = $1`,
    [`missed-${version}`],
  );
}
