import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stubReply } from '@registrar/bus/testing';
import { type AppStatus, listCrawls, reportingApps } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { stepTime } from '@registrar/persistence/testing';
import { randomUUID } from 'node:crypto';
import { type ConsoleFixture, startConsoleFixture } from '../console.fixture.ts';
import { operatorRoles } from '../sessions/roles.ts';
import { Installation } from './installation.ts';
import { quantileMs } from './request-counts.ts';

const status = (app: AppStatus['app'], replica: string, total: number, slow = 0): AppStatus => ({
  app,
  replica,
  version: '1.0.0',
  startedAt: '2026-11-01T08:00:00Z',
  requests: {
    total,
    failed: app === 'gateway' ? total / 10 : null,
    seconds: total,
    buckets: [
      { upTo: 0.1, count: total - slow },
      { upTo: 1, count: total },
    ],
  },
  waitingMessages: app === 'gateway' ? null : total,
  outbox: app === 'gateway' ? null : { waiting: 2, oldestSeconds: 90, parked: 1 },
  memoryBytes: 1_000,
});

describe('the overview', () => {
  let console: ConsoleFixture;
  let cookie: { cookie: string };
  beforeAll(async () => {
    const crawls = stubReply(listCrawls, async () => ({ items: [], next: null }));
    console = await startConsoleFixture({ stubs: { crawler: [crawls] } });
    cookie = await console.signIn(operatorRoles);
  });
  afterAll(() => console.stop());

  const ask = async (name: string) => (await console.call(name, {}, cookie)).json();

  it('replicas and rates are those of the reports, and a silent replica is forgotten', async () => {
    const installation = console.app.get(Installation);
    const [one, two] = [randomUUID(), randomUUID()];
    installation.note(status('gateway', one, 1_000));
    installation.note(status('gateway', two, 0));
    await stepTime(10, console.database);
    installation.note(status('gateway', one, 1_100, 50));
    installation.note(status('gateway', two, 100));
    installation.note(status('enrolment', randomUUID(), 3));
    clock.step(1);
    installation.note(status('enrolment', randomUUID(), 5));
    installation.note({ ...status('enrolment', randomUUID(), 0), waitingMessages: null });
    const { apps } = (await ask('overview.apps')) as { apps: { app: string }[] };
    // The console of the suite reports too.
    expect(apps.map(({ app }) => app)).toEqual(reportingApps);
    const gateway = apps.find(({ app }) => app === 'gateway');
    expect(gateway).toMatchObject({
      replicas: [{ replica: one, version: '1.0.0' }, { replica: two }],
      requestsPerSecond: expect.closeTo(20, 0),
      failuresPerSecond: expect.closeTo(2, 0),
      p95Ms: expect.closeTo(820, 0),
      waitingMessages: null,
      outbox: null,
    });
    expect(apps.find(({ app }) => app === 'enrolment')).toMatchObject({ waitingMessages: 5 });
    await stepTime(151, console.database);
    const later = (await ask('overview.apps')) as { apps: { app: string; replicas: unknown[] }[] };
    const running = later.apps.filter(({ replicas }) => replicas.length > 0);
    expect(running.filter(({ app }) => app !== 'console')).toEqual([]);
  });

  it('findings are apps that are missing, several versions, stuck outboxes and parked events', async () => {
    const installation = console.app.get(Installation);
    installation.note(status('identity', randomUUID(), 0));
    installation.note({ ...status('catalog', randomUUID(), 0), version: '2.0.0' });
    const { findings } = (await ask('overview.findings')) as { findings: { check: string }[] };
    expect(findings.map(({ check }) => check)).toEqual([
      'app-missing',
      'outbox',
      'versions',
      'parked-events',
    ]);
  });

  it('a sample of five minutes is kept in the database, and found after a restart', async () => {
    const installation = console.app.get(Installation);
    const replica = randomUUID();
    for (let seconds = 0; seconds <= 1_000; seconds += 100) {
      installation.note(status('gateway', replica, seconds));
      await stepTime(100, console.database);
    }
    const { day, hour } = await installation.history();
    expect(hour.samples.length).toBeLessThanOrEqual(61);
    const served = day.samples
      .filter(({ requestsPerSecond }) => requestsPerSecond === 1)
      .slice(0, 1);
    expect(served).toHaveLength(1);
    const restarted = new Installation(console.database, console.settings, null as never);
    await restarted.onModuleInit();
    const kept = (await restarted.history()).day.samples;
    expect(kept).toContainEqual(served[0]);
  });

  it('a quantile is interpolated within its bucket, and is null without requests', () => {
    const buckets = new Map([
      [0.1, 50],
      [0.2, 100],
    ]);
    expect(quantileMs({ seconds: 1, total: 100, failed: 0, buckets }, 0.95)).toBeCloseTo(190);
    expect(quantileMs({ seconds: 1, total: 0, failed: 0, buckets }, 0.95)).toBeNull();
    const beyond = { seconds: 1, total: 200, failed: 0, buckets };
    expect(quantileMs(beyond, 0.95)).toBeCloseTo(200);
  });
});
