import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Failure, launchRegistration } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { LimitProviderCalls } from './limit-provider-calls.ts';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('calls of the course provider', () => {
  let enrolment: EnrolmentFixture;
  let guid: string;
  let takeCalls: EnrolmentFixture['crawler']['takeCalls'];

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    ({ takeCalls } = enrolment.crawler);
    guid = (await enrolment.create('ada@example.org')).registration_guid;
  });
  afterEach(() => {
    enrolment.crawler.takeCalls = takeCalls;
    enrolment.provider.intercept = () => undefined;
  });
  afterAll(() => enrolment.stop());

  const launch = () =>
    enrolment.bus.request(launchRegistration, {
      ...{ scope: scopeOf(), registrationGuid: guid, review: false, redirectUrl: null },
    });
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
    const limits = enrolment.app.get(LimitProviderCalls);
    const calls = Array.from({ length: 5 }, () => limits.beforeCall(1));
    released.resolve();
    await Promise.all(calls);
    expect(asked).toEqual([1, 4, 1]);
  });

  it('calls of the course provider fail unsent when none is available before the deadline, with the time to wait', async () => {
    const before = requestCount();
    enrolment.crawler.takeCalls = async () => ({ granted: 0, waitMs: 60_000 });
    const context = { requestId: 'r', deadline: clock.now() + 50_000 };
    await expect(runInRequestContext(context, launch)).rejects.toMatchObject({
      ...{ code: 'over-limit', retryAfterSeconds: 60 },
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
      ...{ status: 429, headers: { 'retry-after': '7' }, body: { message: 'Slow down.' } },
    });
    await expect(launch()).rejects.toMatchObject({ code: 'overloaded' });
    expect(enrolment.crawler.throttled).toEqual([{ applicationId: 1, retryAfter: 7 }]);
  });
});
