import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure, launchRegistration, spareCallsMs } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { LimitProviderCalls } from './limit-provider-calls.ts';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('calls of the course provider', () => {
  let enrolment: EnrolmentFixture;
  let guid: string;
  let takeCalls: EnrolmentFixture['crawler']['takeCalls'];
  /** Each test has its own application, which has no calls to spare yet. */
  let application = 1;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    ({ takeCalls } = enrolment.crawler);
    guid = (await enrolment.create('ada@example.org')).registration_guid;
  });
  beforeEach(() => {
    // Calls to spare do not expire, however slow the suite is.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  });
  afterEach(() => {
    vi.restoreAllMocks();
    application += 1;
    enrolment.crawler.takeCalls = takeCalls;
    enrolment.provider.intercept = () => undefined;
  });
  afterAll(() => enrolment.stop());

  const launch = () =>
    enrolment.bus.request(launchRegistration, {
      scope: scopeOf(),
      registrationGuid: guid,
      review: false,
      redirectUrl: null,
    });
  const limits = () => enrolment.app.get(LimitProviderCalls);
  /** Grants all calls that are asked for and to spare, and returns what was asked. */
  const grantAll = () => {
    const asked: { calls: number; spare: number }[] = [];
    enrolment.crawler.takeCalls = async ({ calls, spare }) => {
      asked.push({ calls, spare });
      return { granted: calls + spare, waitMs: 0 };
    };
    return asked;
  };
  const callsInTurn = async (count: number) => {
    for (let call = 0; call < count; call += 1) await limits().beforeCall(application);
  };
  const requestCount = () => enrolment.provider.requests.length;

  it('calls of the course provider are taken from the limit one by one, before they are sent', async () => {
    const before = requestCount();
    const sentBefore: number[] = [];
    enrolment.crawler.takeCalls = async ({ applicationId, calls }) => {
      expect({ applicationId, calls }).toEqual({ applicationId: 1, calls: 1 });
      sentBefore.push(requestCount() - before);
      return { granted: 1, waitMs: 0 };
    };
    await launch();
    await enrolment.create('bob@example.org');
    expect(sentBefore).toEqual(
      Array.from({ length: requestCount() - before }, (_, index) => index),
    );
  });

  it('calls of the course provider wait until the limit has one', async () => {
    const waits = [20, 10, 0];
    enrolment.crawler.takeCalls = async () => {
      const waitMs = waits.shift() ?? 0;
      return { granted: waitMs === 0 ? 1 : 0, waitMs };
    };
    await launch();
    expect(waits).toEqual([]);
  });

  it('calls of the course provider are taken together while others are being taken, each for who was first', async () => {
    const asked: number[] = [];
    const released = Promise.withResolvers<void>();
    enrolment.crawler.takeCalls = async ({ calls }) => {
      asked.push(calls);
      await released.promise;
      // Of those that were taken together, one must wait.
      return asked.length === 2 ? { granted: calls - 1, waitMs: 5 } : { granted: calls, waitMs: 0 };
    };
    const calls = Array.from({ length: 5 }, () => limits().beforeCall(application));
    released.resolve();
    await Promise.all(calls);
    expect(asked).toEqual([1, 4, 1]);
  });

  it('calls of the course provider are taken to spare, as many as the batch before has served', async () => {
    const asked = grantAll();
    await callsInTurn(1 + 2 + 3 + 4);
    expect(asked).toEqual([0, 1, 2, 3].map((spare) => ({ calls: 1, spare })));
  });

  it('calls of the course provider that are to spare expire, and none are taken after a pause', async () => {
    const asked = grantAll();
    await callsInTurn(1 + 1);
    clock.step(spareCallsMs);
    await callsInTurn(1);
    expect(asked).toHaveLength(3);
    clock.step(2 * spareCallsMs);
    await callsInTurn(1);
    expect(asked.at(-1)).toEqual({ calls: 1, spare: 0 });
  });

  it('calls of the course provider that are to spare are not made after the provider has refused one', async () => {
    const asked = grantAll();
    await callsInTurn(1 + 1);
    limits().afterThrottling(application, null);
    await callsInTurn(1);
    expect(asked).toHaveLength(3);
  });

  it('calls of the course provider fail unsent when none is available before the deadline, with the time to wait', async () => {
    const before = requestCount();
    enrolment.crawler.takeCalls = async () => ({ granted: 0, waitMs: 60_000 });
    const context = { requestId: 'r', deadline: clock.now() + 50_000 };
    await expect(runInRequestContext(context, launch)).rejects.toMatchObject({
      code: 'over-limit',
      retryAfterSeconds: 60,
    });
    expect(requestCount()).toBe(before);
  });

  it('calls of the course provider are sent without a limit while the crawler is away', async () => {
    enrolment.crawler.takeCalls = async () => {
      throw new Failure('unavailable', 'the crawler is away');
    };
    expect(await launch()).toMatchObject({ launch_url: expect.stringContaining(guid) });
  });

  it('calls of the course provider tell the crawler when the provider refuses them because there are too many', async () => {
    enrolment.provider.intercept = () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { message: 'Slow down.' },
    });
    await expect(launch()).rejects.toMatchObject({ code: 'overloaded' });
    expect(enrolment.crawler.throttled).toContainEqual({ applicationId: 1, retryAfter: 7 });
  });
});
