import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { statusBeforeBody } from '../provider.fixture.ts';
import { type LaunchesFixture, startLaunchesFixture } from './launches.fixture.ts';

interface RegistrationResult {
  readonly registrationCompletion: string;
  readonly registrationSuccess: string;
  readonly totalSecondsTracked: number;
  readonly hasOpenLaunch: boolean;
  readonly activityDetails: {
    readonly children: readonly {
      readonly suspended: boolean;
      readonly runtime?: Readonly<Record<string, string>>;
    }[];
  };
}

describe('reports of a course window', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
  });
  afterAll(() => fixture.stop());

  const resultOf = async (registration: string): Promise<RegistrationResult> => {
    const path = `registrations/${registration}`;
    const details = { includeChildResults: 'true', includeRuntime: 'true' };
    return (await fixture.client.get<RegistrationResult>(path, details)).body;
  };
  const locationIn = ({ activityDetails }: RegistrationResult) =>
    activityDetails.children[0]?.runtime?.location;

  it('applies reports in the order of their sequence numbers', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const report = async (sequence: number, status: string, location: string) => {
      const core = { lesson_status: status, lesson_location: location };
      return (await window.report({ activityId, sitting, sequence }, core)).status;
    };
    expect(await report(2, 'passed', 'end')).toBe(200);
    expect(await report(1, 'failed', 'middle')).toBe(200);
    expect(await report(2, 'failed', 'again')).toBe(200);
    const result = await resultOf(registration);
    expect(locationIn(result)).toBe('end');
    expect(result.totalSecondsTracked).toBe(2);
    expect((await window.course()).standings).toEqual({
      first: { completion: 'COMPLETED', success: 'PASSED' },
    });
  });

  it('stores each branch of the data from the newest report that contains it, in any order', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const core = { lesson_status: 'passed', lesson_location: 'end' };
    const large = { suspend_data: 'x'.repeat(100_000) };
    const report = (sequence: number, runtime: object, ended = true) =>
      window.report({ activityId, sitting, sequence }, {}, { runtime, ended, closing: ended });
    await report(3, { core });
    await report(2, { core: { lesson_status: 'failed' }, ...large }, false);
    const result = await resultOf(registration);
    expect(result.hasOpenLaunch).toBe(true);
    expect(result.activityDetails.children[0]).toMatchObject({
      activitySuccess: 'PASSED',
      suspended: false,
      runtime: { location: 'end', suspendData: large.suspend_data },
    });
    await report(1, { suspend_data: 'old' });
    await report(4, { suspend_data: 'new' });
    expect((await resultOf(registration)).activityDetails.children[0]?.runtime).toMatchObject({
      suspendData: 'new',
    });
    // The window closed, whichever of its reports arrived last.
    const path = `registrations/${registration}/launchHistory`;
    const { body } = await fixture.client.get(path);
    expect(body).toMatchObject({ launchHistory: [{ exitTime: expect.any(String) }] });
  });

  it('the exit of an earlier session does not suspend one whose reports overtake each other', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const earlier = { activityId, sitting: await window.begin(activityId), sequence: 1 };
    await window.report(earlier, { lesson_status: 'incomplete', exit: 'suspend' });
    const isSuspended = async () =>
      (await resultOf(registration)).activityDetails.children[0]?.suspended;
    expect(await isSuspended()).toBe(true);

    const sitting = await window.begin(activityId);
    const ended = { runtime: {}, ended: true };
    await window.report({ activityId, sitting, sequence: 2 }, {}, ended);
    await window.report(
      { activityId, sitting, sequence: 1 },
      { lesson_status: 'passed', exit: '' },
    );
    expect(await isSuspended()).toBe(false);
  });

  it('a launch is open until the learner exits, or five minutes after its window was closed', async () => {
    const registration = await fixture.register();
    const isOpen = async () =>
      (await fixture.client.get<{ hasOpenLaunch: boolean }>(`registrations/${registration}`)).body
        .hasOpenLaunch;
    const activityId = 'first';
    expect(await isOpen()).toBe(false);
    const review = await fixture.open(registration, { tracking: false });
    expect([(await review.get('course')).status, await isOpen()]).toEqual([200, false]);

    const exited = await fixture.open(registration);
    expect(await isOpen()).toBe(true);
    await exited.post('exit', {});
    expect(await isOpen()).toBe(false);

    const closed = await fixture.open(registration);
    const sitting = await closed.begin(activityId);
    const pass = (minutes: number) =>
      fixture.provider.database.execute(
        sql`UPDATE launches SET launched_at = launched_at - ${minutes} * interval '1 minute',
              expires_at = expires_at - ${minutes} * interval '1 minute'
            WHERE expires_at > now()`,
      );
    const close = (sequence: number) =>
      closed.report({ activityId, sitting, sequence }, {}, { closing: true });
    await close(1);
    await pass(4);
    expect(await isOpen()).toBe(true);
    // A reload opens the activity again, and extends the session.
    await closed.begin(activityId);
    await pass(10);
    expect(await isOpen()).toBe(true);
    await close(2);
    await pass(6);
    expect(await isOpen()).toBe(false);
    expect((await closed.get('index.html')).status).toBe(410);
  });

  it('returns 409 for a report after a newer window has reported', async () => {
    const registration = await fixture.register();
    const activityId = 'first';
    const older = await fixture.open(registration);
    const newer = await fixture.open(registration);
    const first = { activityId, sitting: await older.begin(activityId) };
    const second = { activityId, sitting: await newer.begin(activityId) };
    const last = await older.report({ ...first, sequence: 1 }, { lesson_location: 'old' });
    expect(last.status).toBe(200);
    await newer.report({ ...second, sequence: 1 }, { lesson_location: 'new' });
    const late = await older.report({ ...first, sequence: 2 }, { lesson_location: 'late' });
    expect(late.status).toBe(409);
    expect(locationIn(await resultOf(registration))).toBe('new');
  });

  it('returns 413 for a report when the accumulated run-time data exceed 2 MiB', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const activityId = 'first';
    const sitting = await window.begin(activityId);
    const statuses: number[] = [];
    for (const sequence of [1, 2, 3]) {
      const runtime = { [`branch ${sequence}`]: 'x'.repeat(900_000) };
      const answer = await window.report({ activityId, sitting, sequence }, {}, { runtime });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 413]);
    expect((await resultOf(registration)).totalSecondsTracked).toBe(2);
  });

  it('returns 404 for a report on an activity that was not opened', async () => {
    const window = await fixture.open(await fixture.register());
    const position = { sitting: 1, sequence: 1 };
    expect((await window.report({ ...position, activityId: 'first' }, {})).status).toBe(404);
    expect((await window.report({ ...position, activityId: 'no part' }, {})).status).toBe(404);
    expect(await window.navigate({ command: 'choice', target: 'no part' })).toMatchObject({
      activity: null,
      refusal: 'unavailable',
    });
    expect((await window.post('navigation', {})).status).toBe(400);
    expect((await window.post('reports', { activityId: 'first' })).status).toBe(400);
  });

  it('returns 404 for a report in a review, which stores nothing', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration, { tracking: false });
    expect(await window.course()).toMatchObject({ tracking: false });
    expect((await window.navigate({ command: 'start' })).activity).toMatchObject({
      id: 'first',
      sitting: 0,
      runtime: { core: { lesson_mode: 'review' } },
    });
    const position = { activityId: 'first', sitting: 1, sequence: 1 };
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(404);
    expect(await resultOf(registration)).toMatchObject({ registrationCompletion: 'UNKNOWN' });
  });

  it('returns 410 before it reads a body of an unknown or ended window, or at another origin', async () => {
    const window = await fixture.open(await fixture.register());
    const { host, pathname } = new URL(window.address);
    await window.post('exit', {});
    for (const path of ['navigation', 'reports', 'exit']) {
      const line = `POST ${pathname.replace('index.html', path)} HTTP/1.1`;
      for (const [requestLine, at] of [
        [line, host],
        [line, 'localhost'],
        [`POST /play/unknown/${path} HTTP/1.1`, host],
      ] as const) {
        const { url } = fixture.provider;
        expect(await statusBeforeBody(url, requestLine, [`host: ${at}`])).toBe(410);
      }
    }
  });

  it('returns the redirect URL on exit, and 410 for later reports', async () => {
    const registration = await fixture.register();
    const redirectOnExitUrl = 'https://example.com/done?course=1';
    const window = await fixture.open(registration, { redirectOnExitUrl });
    const sitting = await window.begin('first');
    const exit = await window.post('exit', {});
    expect(await exit.json()).toEqual({ redirectUrl: redirectOnExitUrl, outcome: 'suspended' });
    const position = { activityId: 'first', sitting, sequence: 1 };
    expect((await window.report(position, { lesson_status: 'passed' })).status).toBe(410);
    expect((await window.get('course')).status).toBe(410);
    expect((await window.get('index.html')).status).toBe(410);
    expect((await window.get('content/video.mp4')).status).toBe(404);
    expect((await window.post('exit', {})).status).toBe(410);
  });

  it('returns 410 on exit while the registration is deleted', async () => {
    const registration = await fixture.register();
    const window = await fixture.open(registration);
    const exit = await fixture.provider.sendDuring(
      sql`DELETE FROM registrations WHERE registration_id = ${registration}`,
      () => window.post('exit', {}),
    );
    expect(exit.status).toBe(410);
  });
});
