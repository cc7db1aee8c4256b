import { asOperator } from '@registrar/e2e/operator';
import type pg from 'pg';
import { compareSystems, type Round } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { addRealm } from '../system/add-realm.ts';
import { ApiAccess } from '../system/api-access.ts';
import { insertCourses } from '../system/fill.ts';

const courseCount = 200_000;

/** Matches ten titles, and an index of trigrams finds them. */
const expression = 'part 4242[0-9] of [0-9a-f]+$';

export const expressions: Comparison = {
  name: 'expressions',
  measures: `title_re over ${courseCount.toLocaleString('en')} courses, beside a sequential scan`,
  run: async ({ system, database, load, processes }) => {
    const { applicationId, pair } = await asOperator(system, (bus) => addRealm(bus, 'expressions'));
    await insertCourses(database, { applicationId, count: courseCount, prefix: 'many-' });
    const access = await ApiAccess.create(system.quickstart, pair);
    const requests = [{ url: access.url('course.json', { title_re: expression }) }];
    const rounds = await measureRounds([
      {
        system: 'distributed',
        measure: () =>
          load.measure({ requests, pace: { connections: 1 }, status: 200 }, processes.distributed),
      },
      { system: 'sequential scan', measure: () => scan(database, applicationId) },
    ]);
    const targets = [{ figure: 'rate', baseline: 'sequential scan', min: 20 }] as const;
    return [compareSystems('title_re, 200,000 courses, 1 connection', 'requests', rounds, targets)];
  },
};

/** Measures the same list from PostgreSQL without an index, by one process. */
async function scan(database: pg.Client, applicationId: number): Promise<Round> {
  await database.query('BEGIN');
  try {
    await database.query(
      `SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off;
       SET LOCAL max_parallel_workers_per_gather = 0`,
    );
    const begun = performance.now();
    const { rowCount } = await database.query(
      `SELECT * FROM catalog.courses
       WHERE provider_application_id = $1 AND NOT deleted AND title ~ $2 ORDER BY id`,
      [applicationId, expression],
    );
    const p50Ms = performance.now() - begun;
    if (rowCount !== 10) throw new Error(`the expression matches ${rowCount} titles`);
    return { p50Ms, rate: 1_000 / p50Ms };
  } finally {
    await database.query('ROLLBACK');
  }
}
