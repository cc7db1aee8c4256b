import type { InputOf } from '@registrar/bus';
import {
  configureCrawls,
  crawlNow,
  Failure,
  listAdoptedRegistrations,
  listCrawlHistory,
  listCrawls,
  sweepApplications,
} from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

describeWith(await findBroker(), 'registrar crawl', (broker) => {
  let operator: OperatorFixture;
  let since: string | null = null;

  const crawls = {
    application: 1,
    state: 'crawling' as const,
    late_seconds: 3,
    rate: 2.5,
    failures: 2,
    backing_off_until: null,
    configuration: { limit: null, rate: 5, interval: null, type: null, paused: false },
    running: 'all-registrations',
    items: 45_000,
    expected: 90_000,
    windows: 4,
    running_since: '2026-01-03T00:00:00Z',
    changes_at: '2026-01-02T00:00:00Z',
    registrations: 'running' as const,
    registrations_at: '2026-01-01T00:00:00Z',
    courses: 'failing' as const,
    courses_at: null,
    error: 'the course provider returned 500',
  };
  const finished = {
    finished_at: '2026-01-01T00:00:00Z',
    kind: 'courses',
    outcome: 'done' as const,
    items: 3,
    seconds: 1,
    error: null,
  };
  const configuration = { limit: null, rate: 25, interval: null, type: null, paused: false };
  const received: unknown[] = [];
  const listed: InputOf<typeof listCrawls>[] = [];
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
        stubReply(listCrawls, async (input) => {
          listed.push(input);
          if (listed.length > 2) process.emit('SIGINT');
          return { items: [crawls], next: null };
        }),
        stubReply(listCrawlHistory, async ({ limit }) => ({
          items: Array.from({ length: limit }, () => finished),
          next: 'more',
        })),
        stubReply(crawlNow, async (input) => {
          if (input.application === 9) throw new Failure('not-found', 'no such application');
          received.push(input);
          return {};
        }),
        stubReply(configureCrawls, async (input) => {
          received.push(input);
          return configuration;
        }),
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
    expect(stderr).toBe('See when it is done with: registrar crawl status\n');
  });

  it('status shows the state of each provider application, and how far a crawl is', async () => {
    expect(answerOf(await operator.run(['crawl', 'status', '--json']))).toEqual([crawls]);
    const { stdout } = await operator.run(['crawl', 'status', '1']);
    expect(stdout).toMatch(/^APPLICATION +STATE +LATE +CHANGES_AT +PROGRESS +REGISTRATIONS/);
    expect(stdout).toMatch(
      /^1 +crawling +3 s .*\[#{10}-{10}\] 45,000 of about 90,000, 4 windows left +running/m,
    );
    expect(stdout).toMatch(/ failing +2\.5\/s +the course provider returned 500$/m);
    expect(listed.map(({ applications }) => applications)).toEqual([null, [1]]);
  });

  it('status repeats the table with --watch until it is interrupted', async () => {
    const { code, stdout } = await operator.run(['crawl', 'status', '--watch']);
    expect({ code, tables: stdout.match(/^APPLICATION/gm)?.length }).toEqual({
      code: 0,
      tables: 1,
    });
  });

  it('now makes changes due, and with --sweep everything', async () => {
    received.length = 0;
    const { stdout, stderr } = await operator.run(['crawl', 'now', '1']);
    expect(stdout).toBe('application  1\ndue          changes\n');
    expect(stderr).toBe('See when it is done with: registrar crawl status 1\n');
    await operator.run(['crawl', 'now', '1', '--sweep']);
    expect(received).toEqual([
      { application: 1, sweep: false },
      { application: 1, sweep: true },
    ]);
    const { code, stderr: error } = await operator.run(['crawl', 'now', '9']);
    expect(code).not.toBe(0);
    expect(error).toContain('no such application');
  });

  it('registrar crawl set, pause and resume configure an application, and print the configuration', async () => {
    received.length = 0;
    const set = ['crawl', 'set', '1'];
    expect(answerOf(await operator.run([...set, '--rate', '25', '--json']))).toEqual({
      application: 1,
      ...configuration,
    });
    await operator.run([...set, '--interval', '60', '--type', 'full']);
    await operator.run([...set, '--reset']);
    await operator.run(['crawl', 'pause', '1']);
    await operator.run(['crawl', 'resume', '1']);
    expect(received).toEqual([
      { application: 1, rate: 25 },
      { application: 1, interval: 60, type: 'full' },
      { application: 1, limit: null, rate: null, interval: null, type: null },
      { application: 1, paused: true },
      { application: 1, paused: false },
    ]);
  });

  it('registrar crawl set refuses values out of range, and nothing to set', async () => {
    for (const args of [
      ['--rate', '0'],
      ['--interval', '4'],
      ['--type', 'half'],
      [],
      ['--reset', '--rate', '5'],
    ]) {
      expect((await operator.run(['crawl', 'set', '1', ...args])).code).toBe(2);
    }
  });

  it('history lists the newest crawls', async () => {
    const history = ['crawl', 'history', '1'];
    expect(answerOf(await operator.run([...history, '--limit', '2', '--json']))).toEqual([
      ...[finished, finished],
    ]);
    const { stdout } = await operator.run(history);
    expect(stdout.match(/^2026-01-01T00:00:00Z +courses +done +3 +1 +-$/gm)).toHaveLength(50);
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
