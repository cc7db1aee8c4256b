import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contracts from '@registrar/contracts';
import { Failure } from '@registrar/contracts';
import { openDatabase, raw, sql } from '@registrar/persistence';
import { partitioningSql } from '@registrar/persistence/testing';
import { eventually } from '@registrar/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from './enrolment.fixture.ts';
import { isCounted } from './registrations/counted-registrations.ts';
import { enrolmentSchema } from './schema.ts';

/** A migration of a next version. */
class MadeUp9000000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE registrations ADD COLUMN made_up text DEFAULT 'next'`);
    await runner.query('CREATE INDEX registrations_made_up ON registrations (made_up)');
  }
  async down(): Promise<void> {}
}

/** The number of registrations before the tables are divided, half of them of application 2. */
const earlier = 2_000;

const textRow = z.object({ text: z.string() });
const countRow = z.object({ count: z.number() });

describe('the tables of enrolment, divided by docs/partitioning.md while requests write', () => {
  let enrolment: EnrolmentFixture;
  let operator: pg.Client;
  let before: readonly string[];
  /** The registrations that clients know of, by GUID. */
  const acknowledged = new Set<string>();
  /** Those to which clients have added custom data. */
  const changed = new Set<string>();

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    const { url } = enrolment.database.dataSource.options as { readonly url: string };
    operator = new pg.Client({ connectionString: url });
    await operator.connect();
    await operator.query(partitioningSql('session'));
    await enrolment.database.execute(sql`
      INSERT INTO registrations (
        realm_id, provider_application_id, registration_guid, course_guid, learner_id, provider_state
      )
      SELECT 1, 1 + n % 2, 'earlier-' || n, 'swimming', 'learner-' || n || '@example.org', 'ready'
      FROM generate_series(1, ${earlier}::integer) AS n`);
    for (let n = 1; n <= earlier; n += 1) acknowledged.add(`earlier-${n}`);
    before = await definitions();
    await run(partitioningSql('functions'));
  });
  afterAll(async () => {
    await operator.end();
    await enrolment.stop();
  });

  /** Runs a statement of the page, again when it could not get its lock. */
  async function run(statement: string): Promise<Record<string, unknown>[]> {
    for (;;) {
      try {
        return (await operator.query<Record<string, unknown>>(statement)).rows;
      } catch (error) {
        if ((error as { code?: string }).code !== '55P03') throw error;
      }
    }
  }
  const runEach = async (example: string, change = (text: string) => text) => {
    const statements = partitioningSql(example).split(/(?<=;)\n/);
    const results = [];
    for (const statement of statements) results.push(await run(change(statement)));
    return results;
  };

  /** Creates and changes registrations until `work` is done. */
  async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false;
    const repeat = async (request: () => Promise<unknown>) => {
      try {
        await request();
      } catch (error) {
        const isRepeated =
          error instanceof Failure && (error.retriable || error.code === 'expired');
        if (!isRepeated) throw error;
      }
    };
    const addData = async (registrationGuid: string) => {
      const [scope, key, values] = [scopeOf(), 'writer', { of: registrationGuid }];
      const input = { scope, registrationGuid, key, values };
      await enrolment.bus.request(contracts.mergeRegistrationCustom, input);
      changed.add(registrationGuid);
    };
    const writer = async (writer: number) => {
      for (let n = 0; !isDone; n += 1) {
        await repeat(async () => {
          const learner = `writer-${writer}-${acknowledged.size}-${n}@example.org`;
          const { registration_guid: registrationGuid } = await enrolment.create(learner);
          acknowledged.add(registrationGuid);
          await addData(registrationGuid);
        });
        await repeat(() => addData(`earlier-${1 + (changed.size % earlier)}`));
      }
    };
    const writers = Promise.all([1, 2, 3].map(writer));
    const served = async () => {
      const { size } = acknowledged;
      const more = eventually('requests are served', () => acknowledged.size >= size + 10);
      await Promise.race([more, writers]);
    };
    try {
      await served();
      const result = await work();
      await served();
      return result;
    } finally {
      isDone = true;
      await writers;
    }
  }

  /** What PostgreSQL says of the table and of all that belongs to it, without what the next version adds. */
  const definitions = async () => {
    const rows = await enrolment.database.many(
      textRow,
      sql`SELECT indexdef AS text FROM pg_indexes
          WHERE schemaname = 'enrolment' AND tablename LIKE 'registration%'
          UNION ALL
          SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
          FROM pg_constraint WHERE connamespace = 'enrolment'::regnamespace
          UNION ALL
          SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
          UNION ALL
          SELECT concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, attnotnull, attidentity,
            pg_get_serial_sequence(attrelid::regclass::text, attname),
            (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum))
          FROM pg_attribute
          WHERE attnum > 0 AND NOT attisdropped
            AND attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p')
                             AND relnamespace = 'enrolment'::regnamespace AND relname LIKE 'registration%')
          UNION ALL
          SELECT concat_ws(' ', oid::regclass, reloptions, pg_get_viewdef(oid))
          FROM pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text IN ('enrolment', 'reports')
          ORDER BY 1`,
    );
    return rows.map(({ text }) => text).filter((text) => !text.includes('made_up'));
  };

  /** Compares what is stored with what clients know of: each registration once, and counted once. */
  async function expectNothingLost(): Promise<void> {
    const { database } = enrolment;
    const stored = await database.many(
      textRow,
      sql`SELECT registration_guid AS text FROM registrations ORDER BY id`,
    );
    expect(stored.map(({ text }) => text).filter((guid) => acknowledged.has(guid))).toHaveLength(
      acknowledged.size,
    );
    expect(new Set(stored.map(({ text }) => text)).size).toBe(stored.length);
    const withData = await database.many(
      textRow,
      sql`SELECT registration_guid AS text FROM registrations WHERE custom->'writer' IS NOT NULL`,
    );
    const guidsWithData = new Set(withData.map(({ text }) => text));
    expect([...changed].filter((guid) => !guidsWithData.has(guid))).toEqual([]);
    const counts = await database.one(
      z.object({ counted: z.number(), stored: z.number() }),
      sql`SELECT (SELECT sum(change)::int FROM registration_count_changes) AS counted,
                 (SELECT count(*)::int FROM registrations WHERE ${raw(isCounted('registrations'))}) AS stored`,
    );
    expect(counts.counted).toBe(counts.stored);
    const ids = await database.one(
      countRow,
      sql`SELECT count(DISTINCT id)::int AS count FROM registrations`,
    );
    expect(ids.count).toBe(stored.length);
  }

  const rowsOf = async (partition: string) =>
    (await run(`SELECT count(*)::int AS count FROM ${partition}`))[0]!['count'];

  it('dividing the tables finds nothing that it would not keep', async () => {
    expect(await run(partitioningSql('foreign'))).toEqual([]);
    await operator.query('GRANT SELECT ON registrations TO pg_monitor');
    expect(await run(partitioningSql('foreign'))).toMatchObject([
      { table: 'registrations', what: 'a right', detail: 'pg_monitor' },
    ]);
    await operator.query('REVOKE SELECT ON registrations FROM pg_monitor');
  });

  it('dividing the tables while requests write loses no registration', async () => {
    await whileWriting(() => runEach('divide-enrolment'));
    expect(await rowsOf('registrations_default')).toBe(await rowsOf('registrations'));
    await expectNothingLost();
  });

  it('separating applications while requests write loses no registration', async () => {
    const notices: (string | undefined)[] = [];
    operator.on('notice', ({ message }) => notices.push(message));
    await whileWriting(async () => {
      await operator.query('SET client_min_messages = debug1');
      await runEach('reserve');
      await operator.query('RESET client_min_messages');
      const [[moved]] = (await runEach('separate', (text) => text.replace('7', '1'))) as [
        [Record<string, unknown>],
      ];
      expect(Number(moved['separate'])).toBeGreaterThan(earlier / 2);
    });
    expect(notices).toContain(
      'updated partition constraint for default partition "registrations_default" is implied by existing constraints',
    );
    await runEach('analyze');
    await expectNothingLost();
    expect(await rowsOf('registrations_default')).toBe(earlier / 2);
    expect(await rowsOf('registrations_7')).toBe(0);
    await enrolment.insert(7, 'swimming', 'ada@example.org', 'first-of-7');
    expect(await rowsOf('registrations_7')).toBe(1);
    const partitions = await run(partitioningSql('check'));
    expect(partitions.map(({ partition }) => partition).toSorted()).toEqual([
      ...['courses_default', 'registration_count_changes_default', 'registration_counts_default'],
      ...['registration_day_counts_default', 'registrations_1', 'registrations_7'],
      'registrations_default',
    ]);
    expect(partitions.filter(({ invalid }) => invalid !== '0')).toEqual([]);
  });

  it('divided tables take the migrations of a next version', async () => {
    const { url } = enrolment.database.dataSource.options as { readonly url: string };
    const migrations = [...enrolmentSchema.migrations, MadeUp9000000000000];
    const next = await whileWriting(() => openDatabase({ ...enrolmentSchema, migrations }, url));
    await next.dataSource.destroy();
    await runEach('separate', (text) => text.replace('7', '2'));
    const madeUp = await enrolment.database.many(
      textRow,
      sql`SELECT DISTINCT concat_ws(' ', tableoid::regclass, made_up) AS text FROM registrations ORDER BY 1`,
    );
    expect(madeUp.map(({ text }) => text)).toEqual([
      ...['registrations_1 next', 'registrations_2 next', 'registrations_7 next'],
    ]);
    await expectNothingLost();
  });

  it('joining the partitions while requests write restores each table as it was', async () => {
    const tables = [
      'registrations',
      'courses',
      'registration_counts',
      'registration_day_counts',
      'registration_count_changes',
    ];
    await whileWriting(async () => {
      for (const table of tables)
        await runEach('join', (text) => text.replace(`'registrations'`, `'${table}'`));
    });
    await run(partitioningSql('drop'));
    await expectNothingLost();
    expect(await definitions()).toEqual(before);
    expect(await run(partitioningSql('check'))).toEqual([]);
  });
});
