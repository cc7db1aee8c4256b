import { sql } from '@registrar/persistence';
import { useDatabase } from '@registrar/persistence/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { providerSchema } from '../schema.ts';
import { PostbackRows } from './postback-rows.ts';

describe('PostbackRows', () => {
  const db = useDatabase(providerSchema);
  const rows = () => new PostbackRows(db());

  /** Applications 1 to 3 have three registrations each, whose postbacks are due. */
  beforeEach(async () => {
    for (const statement of [
      sql`TRUNCATE applications RESTART IDENTITY CASCADE`,
      sql`INSERT INTO applications (app_id, name, secret_hash)
          SELECT 'app ' || n, '', '' FROM generate_series(1, 3) AS n`,
      sql`INSERT INTO courses (application_id, course_id, title)
          SELECT id, 'course', '' FROM applications`,
      sql`INSERT INTO course_versions (course, version, title, size, structure)
          SELECT id, 0, '', 0, '{}' FROM courses`,
      sql`INSERT INTO registrations (application_id, registration_id, course, course_version,
                                     learner_id, first_name, last_name)
          SELECT c.application_id, n, c.id, v.id, '', '', ''
          FROM courses AS c JOIN course_versions AS v ON v.course = c.id,
               generate_series(1, 3) AS n`,
      sql`INSERT INTO postbacks (registration, application_id, due_at)
          SELECT id, application_id, now() - registration_id::int * interval '1 second'
          FROM registrations`,
    ]) {
      await db().execute(statement);
    }
  });

  const claim = async (limit: number, served: number[] = [], busy: number[] = []) =>
    (await rows().claim(limit, served, busy))
      .map((row) => `${row.application_id}/${row.registration_id}`)
      .toSorted();

  it('claims the postback of each application that is due for the longest time, once', async () => {
    expect(await claim(9)).toEqual(['1/3', '2/3', '3/3']);
    expect(await claim(9)).toEqual(['1/2', '2/2', '3/2']);
    expect(await claim(9)).toEqual(['1/1', '2/1', '3/1']);
    expect(await claim(9)).toEqual([]);
  });

  it('prefers applications whose last turn is longest ago, and leaves out busy ones', async () => {
    expect(await claim(1, [1, 3])).toEqual(['2/3']);
    expect(await claim(1, [3, 2, 1])).toEqual(['3/3']);
    expect(await claim(2, [3, 2, 1], [2])).toEqual(['1/3', '3/2']);
  });

  it('skips postbacks that another replica is claiming', async () => {
    await db().transaction(async () => {
      await claim(9);
      expect(await db().outsideTransaction(() => claim(9))).toEqual(['1/2', '2/2', '3/2']);
    });
  });

  it('claims a postback again when its lease has ended', async () => {
    await claim(9, [], [2, 3]);
    await claim(9, [], [2, 3]);
    await db().execute(
      sql`UPDATE postbacks SET leased_until = now(), due_at = now()
          WHERE leased_until IS NOT NULL`,
    );
    const claimed = [1, 2, 3].map(() => claim(9, [], [2, 3]));
    expect((await Promise.all(claimed)).flat().toSorted()).toEqual(['1/1', '1/2', '1/3']);
  });

  it('keeps a postback whose result has changed since it was claimed', async () => {
    const [claimed] = await rows().claim(1, [], [2, 3]);
    if (!claimed) throw new Error('a postback was due');
    await db().execute(
      sql`UPDATE postbacks SET change_id = gen_random_uuid(), due_at = now() - interval '1 hour'
          WHERE registration = ${claimed.registration}`,
    );
    expect(await claim(1, [], [2, 3])).toEqual(['1/2']);
    await rows().remove(claimed);
    expect(await claim(1, [], [2, 3])).toEqual(['1/3']);
    await rows().postpone(claimed, 60_000);
    const [again] = await rows().claim(1, [], [2, 3]);
    expect(again).toMatchObject({ registration_id: '1', failures: 0 });
  });

  it('a postback is due at the exact time, and not up to half a millisecond later', async () => {
    const time = sql`timestamptz '2026-01-01 00:00:00.0006Z'`;
    const isExact = await db().many(
      z.object({ is_exact: z.boolean() }),
      sql`UPDATE postbacks SET due_at = ${time} RETURNING due_at = ${time} AS is_exact`,
    );
    expect(isExact).toEqual(Array.from({ length: 9 }, () => ({ is_exact: true })));
  });

  it('counts failures, and delays the next delivery', async () => {
    const [claimed] = await rows().claim(1, [], [2, 3]);
    if (!claimed) throw new Error('a postback was due');
    await rows().postpone(claimed, 60_000);
    expect(await claim(3, [], [2, 3])).toEqual(['1/2']);
    await rows().postpone(claimed, -3_600_000);
    const [again] = await rows().claim(1, [], [2, 3]);
    expect(again).toMatchObject({ registration_id: '3', failures: 2 });
    expect(await rows().countPending()).toBe(9);
  });
});
