import { listAdoptedRegistrations, listSweeps, sweepApplications } from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

describeWith(await findBroker(), 'registrar crawl', (broker) => {
  let operator: OperatorFixture;
  let since: string | null = null;

  const sweep = {
    application: 1,
    registrations: 'done' as const,
    registrations_at: '2026-01-01T00:00:00Z',
    courses: 'failing' as const,
    courses_at: null,
    error: 'the course provider returned 500',
  };
  const adopted = {
    adopted_at: '2026-01-01T00:00:00Z',
    application: 1,
    registration_guid: 'r-1',
    course_guid: 'swimming',
    learner_id: 'ada@example.com',
  };

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      crawler: [
        stubReply(sweepApplications, async () => ({ applications: 2 })),
        stubReply(listSweeps, async () => ({ items: [sweep], next: null })),
      ],
      enrolment: [
        stubReply(listAdoptedRegistrations, async (input) => {
          since = input.since;
          return { items: [adopted], next: null };
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('all returns the number of provider applications, and says where to look', async () => {
    const { code, stdout, stderr } = await operator.run(['crawl', 'all']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'applications  2\n' });
    expect(stderr).toBe('See when it is done with: registrar crawl list\n');
  });

  it('list shows the state of each sweep', async () => {
    expect(answerOf(await operator.run(['crawl', 'list', '--json']))).toEqual([sweep]);
    const { stdout } = await operator.run(['crawl', 'list']);
    expect(stdout).toMatch(
      /^APPLICATION +REGISTRATIONS +REGISTRATIONS_AT +COURSES +COURSES_AT +ERROR/,
    );
    expect(stdout).toMatch(/^1 +done +2026-01-01T00:00:00Z +failing +- +the course provider/m);
  });

  it('adopted lists the registrations that were found since then', async () => {
    const times = ['--since', '2026-01-01T01:00:00+01:00'];
    expect(answerOf(await operator.run(['crawl', 'adopted', ...times, '--json']))).toEqual([
      adopted,
    ]);
    expect(since).toBe('2026-01-01T00:00:00.000Z');
  });

  it('adopted refuses to list without a time', async () => {
    const { code, stderr } = await operator.run(['crawl', 'adopted']);
    expect(code).toBe(2);
    expect(stderr).toContain('--since');
  });
});
