import * as jest from '@jest/globals';
import { type Database, openDatabase, raw, sql } from '@registrar/persistence';
import { describeEntities, readSchemaColumns } from '@registrar/persistence/testing';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import * as z from 'zod';
import { enrolmentSchema } from './schema.ts';

const { afterAll, beforeAll, describe, expect, it } = jest;

const all = enrolmentSchema.migrations;
const upTo = (count: number) => ({ ...enrolmentSchema, migrations: all.slice(0, count) });

/** The position of a migration. */
const positionOf = (name: string) => all.findIndex((each) => each.name.startsWith(name));

describe('the schema enrolment', () => {
  let fresh: TestDatabase;
  let old: TestDatabase;

  beforeAll(async () => {
    [fresh, old] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(() => Promise.all([fresh.drop(), old.drop()]));

  it('is the same after an upgrade from every earlier version, and keeps all rows', async () => {
    for (let version = 1; version < all.length; version += 1) {
      const database = await openDatabase(upTo(version), old.url);
      await fill(database, version);
      await database.dataSource.destroy();
    }
    const database = await openDatabase(enrolmentSchema, old.url);
    const whole = await openDatabase(enrolmentSchema, fresh.url);
    expect(await readSchemaColumns(database, enrolmentSchema)).toEqual(
      await readSchemaColumns(whole, enrolmentSchema),
    );
    const kept = await database.many(
      z.object({ guid: z.string(), missed: z.boolean(), invitation: z.string().nullable() }),
      sql`SELECT r.registration_guid AS guid, r.missed, i.name AS invitation
          FROM registrations AS r
          LEFT JOIN invitation_registrations AS g ON g.registration_id = r.id
          LEFT JOIN invitations AS i ON i.id = g.invitation_id
          ORDER BY r.id`,
    );
    const versions = all.keys().filter((version) => positionOf('Registrations1') < version);
    expect(kept).toEqual(
      [...versions].flatMap((version) => [
        {
          guid: `missed-${version}`,
          missed: true,
          invitation: positionOf('Invitations1') < version ? `missed-${version}` : null,
        },
        { guid: `seen-${version}`, missed: false, invitation: null },
      ]),
    );
    await Promise.all([database, whole].map((each) => each.dataSource.destroy()));
  });
});

// Tables of invitations and stored queries have no entities yet.
describeEntities(jest, enrolmentSchema, ['query_result_rows', 'query_results']);

/** Inserts rows as that version of the schema had them. */
async function fill(database: Database, version: number): Promise<void> {
  const has = (name: string) => positionOf(name) < version;
  if (!has('Registrations1')) return;
  const swept = raw(has('SweptRegistrations1') ? 'swept_sequence' : 'missed_sequence');
  const never = raw(has('SweptRegistrations1') ? '0' : 'NULL');
  const missed = `missed-${version}`;
  await database.execute(
    sql`INSERT INTO registrations (
          realm_id, provider_application_id, registration_guid, course_guid, learner_id,
          provider_state, result_sequence, ${swept}
        ) VALUES (1, 1, ${missed}, 'swimming', 'ada@example.com', 'ready', 5, 7),
                 (1, 1, ${`seen-${version}`}, 'swimming', 'bob@example.com', 'ready', 5, ${never})`,
  );
  if (!has('Invitations1')) return;
  await database.execute(
    sql`WITH inserted AS (
          INSERT INTO invitations (
            realm_id, name, enabled, license, avoid_duplicate_registrations, no_updates_allowed
          ) VALUES (1, ${missed}, true, true, false, false) RETURNING id
        )
        INSERT INTO invitation_registrations
        SELECT inserted.id, r.learner_id, r.course_guid, r.id, true
        FROM inserted, registrations AS r
        WHERE r.registration_guid = ${missed}`,
  );
}
