import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { ConnectionPooler, findPgBouncer, testPostgresVariable } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import * as z from 'zod';
import { type QueriesFixture, startQueriesFixture } from './queries/queries.fixture.ts';

describeWith(findPgBouncer(), 'enrolment, through a pooler in session mode', (program) => {
  let pooler: ConnectionPooler;
  let enrolment: QueriesFixture;
  beforeAll(async () => {
    pooler = await ConnectionPooler.start(program, process.env[testPostgresVariable]!, 'session');
    enrolment = await startQueriesFixture({}, (url) => pooler.addressOf(url));
  });
  afterAll(async () => {
    await enrolment.stop();
    await pooler.stop();
  });

  it('enrolment creates and lists registrations through a pooler in session mode', async () => {
    const learners = Array.from({ length: 30 }, (_, n) => `learner-${n}@example.org`);
    const created = await Promise.all(learners.map((learner) => enrolment.create(learner)));
    const listed = await enrolment.index({}, { pageSize: 7 });
    expect(listed.map(({ registration_guid: guid }) => guid).sort()).toEqual(
      created.map(({ registration_guid: guid }) => guid).sort(),
    );
    const counted = await enrolment.database.one(
      z.object({ change: z.number() }),
      sql`SELECT sum(change)::int AS change FROM registration_count_changes`,
    );
    expect(counted.change).toBe(learners.length);
  });

  it('enrolment validates and runs stored queries through a pooler in session mode', async () => {
    await enrolment.create('ada@example.org');
    await enrolment.put('learners', 'SELECT learner_id FROM registrations WHERE learner_id = :who');
    const { rows } = await enrolment.run('learners', { who: 'ada@example.org' });
    expect(rows).toEqual([{ learner_id: 'ada@example.org' }]);
  });
});
