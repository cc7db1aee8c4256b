import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type crawlRegistrations,
  Failure,
  launchRegistration,
  recrawlRegistrations,
} from '@registrar/contracts';
import { connectCourseProvider } from '@registrar/course-provider';
import { sql } from '@registrar/persistence';
import { clock, currentRequestContext, runInRequestContext } from '@registrar/platform';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { repeatForMs } from './late-result.ts';
import { RecordCrawls } from './record-crawls.ts';
import { VerifyMissedRegistrations } from './verify-missed-registrations.ts';

type CrawlRequest = InputOf<typeof crawlRegistrations>;

describe('registrations that are crawled by name', () => {
  let enrolment: EnrolmentFixture;
  let requests: CrawlRequest[];
  let sequence = 0;

  /** Requests the provider's results, as the real crawler does. */
  const crawl = async (input: CrawlRequest): Promise<ReplyOf<typeof crawlRegistrations>> => {
    requests.push(input);
    const { appId, secretKey } = enrolment.account(input.applicationId);
    const baseUrl = enrolment.provider.url;
    const provider = connectCourseProvider({ baseUrl, appId, secretKey });
    sequence += 1;
    const crawledAt = new Date().toISOString();
    const outcomes = await Promise.all(
      input.registrationGuids.map(async (registrationGuid) => {
        const result = await provider.getRegistration(registrationGuid, 'course');
        return result
          ? ({ outcome: 'crawled', registrationGuid, result, digest: 'd'.repeat(32) } as const)
          : ({ outcome: 'deleted', registrationGuid } as const);
      }),
    );
    return { sequence, crawledAt, crawlType: 'course', outcomes, fault: null };
  };

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  beforeEach(async () => {
    requests = [];
    enrolment.crawler.crawl = crawl;
    await enrolment.database.execute(sql`DELETE FROM registrations WHERE realm_id = 1`);
  });
  afterAll(() => enrolment.stop());

  const recrawl = (parts: Partial<InputOf<typeof recrawlRegistrations>> = {}) =>
    enrolment.bus.request(recrawlRegistrations, {
      scope: scopeOf(),
      filters: {},
      lastOnly: false,
      which: 'all',
      ...parts,
    });
  const complete = (guid: string, applicationId = 1) =>
    enrolment.account(applicationId).change(guid, {
      registrationCompletion: 'COMPLETED',
      registrationSuccess: 'PASSED',
      score: { scaled: 90 },
      totalSecondsTracked: 61,
    });
  const requestedGuids = () => requests.flatMap((input) => input.registrationGuids).toSorted();
  const read = async (registrationGuid: string) => (await enrolment.index({ registrationGuid }))[0];

  describe('recrawl', () => {
    it('stores the provider’s result before the index returns', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      complete(guid);
      expect(await recrawl()).toEqual({ recrawled: 1 });
      expect(await read(guid)).toMatchObject({
        complete: 'complete',
        success: 'succeeded',
        score: 90,
        totaltime: 61,
        crawl_status: 'success',
      });
    });

    it('stores the failure of the provider on registrations without a result, once per crawl', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      await recrawl();
      const fault = { errorCode: 'ECONNREFUSED', errorMessage: 'the connection failed' };
      const fail = async (at: number) => {
        enrolment.crawler.crawl = async () => ({
          sequence: at,
          crawledAt: new Date().toISOString(),
          crawlType: 'course',
          outcomes: [],
          fault,
        });
        await recrawl();
      };
      sequence += 10;
      await fail(sequence);
      await fail(sequence);
      const failed = {
        crawl_status: 'error',
        crawl_error_msg: fault.errorMessage,
        number_of_crawl_errors: 1,
        provider_errcode: fault.errorCode,
        provider_error_message: fault.errorMessage,
      };
      expect(await read(guid)).toMatchObject(failed);
      await fail((sequence += 1));
      expect(await read(guid)).toMatchObject({ ...failed, number_of_crawl_errors: 2 });
      enrolment.crawler.crawl = crawl;
      await recrawl();
      expect(await read(guid)).toMatchObject({
        ...failed,
        crawl_status: 'success',
        crawl_error_msg: null,
        number_of_crawl_errors: 2,
      });
    });

    it('crawls the registrations of the filters and the scope with one request per application', async () => {
      const inOne = await enrolment.create('ada@example.org');
      const inTwo = await enrolment.create('ada@example.org', { applicationId: 2 });
      await enrolment.create('bob@example.org');
      const filters = { learnerId: 'ada@example.org' };
      expect(await recrawl({ filters })).toEqual({ recrawled: 2 });
      expect(requests.toSorted((a, b) => a.applicationId - b.applicationId)).toEqual([
        { applicationId: 1, registrationGuids: [inOne.registration_guid] },
        { applicationId: 2, registrationGuids: [inTwo.registration_guid] },
      ]);
      requests = [];
      await recrawl({ scope: scopeOf({ applicationIds: [2] }) });
      expect(requestedGuids()).toEqual([inTwo.registration_guid]);
      requests = [];
      await recrawl({ scope: scopeOf({ email: 'ada@example.org' }), lastOnly: true });
      expect(requestedGuids()).toEqual([inTwo.registration_guid]);
    });

    describe('right after a launch', () => {
      let guid: string;
      let now: number;
      let delays: number[];
      const longAgo = '2026-01-01T00:00:00Z';
      const launchedAgo = (time: string, guids = [guid]) =>
        enrolment.database.execute(sql`
          UPDATE registrations SET launched_at = now() - ${time}::interval
          WHERE registration_guid = ANY(${guids})`);
      const createLaunched = async (learnerId: string) => {
        const { registration_guid: created } = await enrolment.create(learnerId);
        enrolment.account(1).change(created, { updated: longAgo });
        await launchedAgo('1 second', [created]);
        return created;
      };
      beforeEach(async () => {
        // Time passes in delays alone. It is a little ahead, so that calls do not expire on a slow machine.
        now = clock.now() + 5_000;
        delays = [];
        vi.spyOn(clock, 'now').mockImplementation(() => now);
        vi.spyOn(clock, 'sleep').mockImplementation(async (delayMs) => {
          delays.push(delayMs);
          now += delayMs;
        });
        guid = await createLaunched('ada@example.org');
      });
      afterEach(() => void vi.restoreAllMocks());
      const recrawlInTime = (parts: Parameters<typeof recrawl>[0] = {}) =>
        runInRequestContext({ requestId: 'r', deadline: clock.now() + 600_000 }, () =>
          recrawl(parts),
        );
      /** Does something before each repeated call. */
      const beforeRepeats = (act: () => void) => {
        enrolment.crawler.crawl = async (input) => {
          if (requests.length > 0) act();
          return crawl(input);
        };
      };

      it('asks again until the provider shows its result', async () => {
        beforeRepeats(() => complete(guid));
        expect(await recrawlInTime()).toEqual({ recrawled: 1 });
        expect(requests).toHaveLength(2);
        expect(delays).toEqual([250]);
        expect(await read(guid)).toMatchObject({ complete: 'complete', score: 90 });
      });

      it('asks again for those that are late alone, together', async () => {
        const late = [guid, await createLaunched('bob@example.org')].toSorted();
        const { registration_guid: other } = await enrolment.create('eve@example.org');
        beforeRepeats(() => late.forEach((each) => complete(each)));
        expect(await recrawlInTime()).toEqual({ recrawled: 3 });
        expect(requests.map(({ registrationGuids }) => registrationGuids.toSorted())).toEqual([
          [...late, other].toSorted(),
          late,
        ]);
      });

      it('returns what there is when the provider does not show newer results', async () => {
        await createLaunched('bob@example.org');
        expect(await recrawlInTime({ which: 'launched' })).toEqual({ recrawled: 2 });
        expect(delays).toEqual([250, 500, 1_000, 1_000]);
        expect(requests).toHaveLength(5);
        expect(await read(guid)).toMatchObject({ complete: 'unknown', crawl_status: 'success' });
      });

      it('counts the time of the calls, and cuts off the last one', async () => {
        const end = now + repeatForMs;
        const deadlines: unknown[] = [];
        beforeRepeats(() => {
          deadlines.push(currentRequestContext()?.deadline);
          now += 900;
        });
        await recrawlInTime();
        expect(delays).toEqual([250, 500]);
        expect(deadlines).toEqual([end, end]);
        expect(now).toBeLessThanOrEqual(end);
      });

      it('recrawl right after a launch does not ask again in the time that the reply needs', async () => {
        enrolment.crawler.crawl = async (input) => {
          const reply = await crawl(input);
          now += 400_000;
          return reply;
        };
        expect(await recrawlInTime()).toEqual({ recrawled: 1 });
        expect(requests).toHaveLength(1);
      });

      it('keeps the first result when a repeated call fails, and logs a warning', async () => {
        beforeRepeats(() => {
          throw new Failure('unavailable', 'the crawler has stopped');
        });
        expect(await recrawlInTime()).toEqual({ recrawled: 1 });
        expect(await read(guid)).toMatchObject({ crawl_status: 'success' });
        expect(enrolment.logLines()).toContainEqual(
          expect.objectContaining({
            level: 'warn',
            application: 1,
            reason: 'the crawler has stopped',
            msg: expect.stringContaining('earlier ones'),
          }),
        );
      });

      it('recrawl right after a launch does not ask again where the provider tells whether the course is open', async () => {
        for (const hasOpenLaunch of [true, false]) {
          requests = [];
          enrolment.account(1).change(guid, { hasOpenLaunch, updated: longAgo });
          await recrawlInTime();
          expect(requests).toHaveLength(1);
        }
      });

      it('recrawl right after a launch does not ask again after an hour, nor to refresh what is old', async () => {
        await recrawlInTime({ which: { launched: false, olderThanSeconds: 0 } });
        expect(requests).toHaveLength(1);
        await launchedAgo('61 minutes');
        await recrawlInTime();
        expect(requests).toHaveLength(2);
        expect(delays).toEqual([]);
      });
    });

    it('crawls registrations that were synchronized longer ago or never, and launched ones on request', async () => {
      const hourOld = { launched: false, olderThanSeconds: 3_600 };
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      expect(await recrawl({ which: hourOld })).toEqual({ recrawled: 1 });
      expect(await recrawl({ which: hourOld })).toEqual({ recrawled: 0 });
      const makeOld = () =>
        enrolment.database.execute(sql`
          UPDATE registrations SET last_crawled_at = now() - interval '2 hours'
          WHERE registration_guid = ${guid}`);
      await makeOld();
      expect(await recrawl({ which: hourOld })).toEqual({ recrawled: 1 });
      await makeOld();
      await enrolment.database.execute(sql`
        INSERT INTO crawled_applications (provider_application_id, synced_at) VALUES (1, now())`);
      expect(await recrawl({ which: hourOld })).toEqual({ recrawled: 0 });
      await enrolment.database.execute(sql`
        UPDATE registrations SET launched_at = now() WHERE registration_guid = ${guid}`);
      expect(await recrawl({ which: hourOld })).toEqual({ recrawled: 0 });
      expect(await recrawl({ which: { ...hourOld, launched: true } })).toEqual({ recrawled: 1 });
      await enrolment.database.execute(sql`DELETE FROM crawled_applications`);
    });

    it('crawls only registrations whose launch is not known to have ended when requested', async () => {
      const hour = 3600;
      // Launched and crawled: seconds ago, or never. Open: what the last crawl told.
      const cases = [
        { launched: null, crawled: null, open: null, due: false },
        { launched: null, crawled: 10, open: null, due: false },
        { launched: 10, crawled: null, open: null, due: true },
        { launched: 5, crawled: 10, open: false, due: true },
        // The launch link may be opened after the crawl.
        { launched: 20, crawled: 10, open: false, due: true },
        { launched: hour, crawled: 10, open: false, due: false },
        { launched: 30 * hour, crawled: 10, open: true, due: true },
        // The provider does not report it.
        { launched: hour, crawled: 10, open: null, due: true },
        { launched: 25 * hour, crawled: 10, open: null, due: false },
      ];
      const due: string[] = [];
      for (const each of cases) {
        const { registration_guid: guid } = await enrolment.create('ada@example.org');
        await enrolment.database.execute(
          sql`UPDATE registrations
              SET launched_at = timestamptz '2026-01-01' - ${each.launched} * interval '1 s',
                  last_crawled_at = timestamptz '2026-01-01' - ${each.crawled} * interval '1 s',
                  launch_open = ${each.open}
              WHERE registration_guid = ${guid}`,
        );
        if (each.due) due.push(guid);
      }
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: due.length });
      expect(requestedGuids()).toEqual(due.toSorted());
    });

    it('crawls again after a crawl during the attempt, until the provider tells its end', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      await enrolment.bus.request(launchRegistration, {
        scope: scopeOf(),
        registrationGuid: guid,
        review: false,
        redirectUrl: null,
      });
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 1 });
      complete(guid);
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 1 });
      expect(await read(guid)).toMatchObject({ complete: 'complete', score: 90 });

      // Later: the link has expired, and the provider tells the end.
      await enrolment.database.execute(
        sql`UPDATE registrations SET launched_at = now() - interval '1 hour'
            WHERE registration_guid = ${guid}`,
      );
      enrolment.account(1).change(guid, { hasOpenLaunch: true });
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 1 });
      enrolment.account(1).change(guid, { hasOpenLaunch: false });
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 1 });
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 0 });
      await enrolment.bus.request(launchRegistration, {
        scope: scopeOf(),
        registrationGuid: guid,
        review: false,
        redirectUrl: null,
      });
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: 1 });
    });

    it('crawls at most 100 registrations, the least recently crawled first', async () => {
      await enrolment.database.execute(
        sql`INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
              registration_guid, provider_state, last_crawled_at)
            SELECT 1, 1, 'swimming', 'ada@example.org', 'many-' || n, 'ready',
                   CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' - n * interval '1 s' END
            FROM generate_series(1, 180) AS n`,
      );
      expect(await recrawl()).toEqual({ recrawled: 100 });
      const numbers = requestedGuids().map((guid) => Number(guid.slice(5)));
      expect(numbers.filter((n) => n % 2 === 1)).toHaveLength(90);
      expect(numbers.filter((n) => n % 2 === 0).toSorted((a, b) => a - b)[0]).toBe(162);
    });

    it('leaves registrations unchanged when the crawler fails or omits some, and logs a warning', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      complete(guid);
      enrolment.crawler.crawl = () =>
        Promise.reject(new Failure('unavailable', 'the crawler is unavailable'));
      expect(await recrawl()).toEqual({ recrawled: 0 });
      enrolment.crawler.crawl = async (input) => ({ ...(await crawl(input)), outcomes: [] });
      expect(await recrawl()).toEqual({ recrawled: 0 });
      expect(await read(guid)).toMatchObject({ complete: 'unknown', last_crawled_at: null });
      expect(enrolment.logLines()).toContainEqual(
        expect.objectContaining({ level: 'warn', application: 1, code: 'unavailable' }),
      );
    });

    it('leaves registrations unchanged when the crawler is slow, with time left for the index', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      const asked = Promise.withResolvers<number>();
      enrolment.crawler.crawl = () => {
        asked.resolve(currentRequestContext()?.deadline ?? Infinity);
        return new Promise(() => undefined);
      };
      const deadline = clock.now() + 120_000;
      await runInRequestContext({ requestId: 'r', deadline }, async () => {
        const recrawled = recrawl();
        const crawlerDeadline = await asked.promise;
        expect(crawlerDeadline).toBeLessThan(deadline);
        clock.step(crawlerDeadline - clock.now() + 1_000);
        expect(await recrawled).toEqual({ recrawled: 0 });
        expect(await read(guid)).toMatchObject({ registration_guid: guid });
      });
    });
  });

  describe('verification of missed registrations', () => {
    const sweep = (parts: { sequence?: number; startedAt?: string } = {}) =>
      enrolment.app.get(RecordCrawls).recordSweep({
        applicationId: 1,
        sequence: sequence + 1,
        startedAt: new Date(Date.now() + 60_000).toISOString(),
        ...parts,
      });
    const verify = () => enrolment.app.get(VerifyMissedRegistrations).verifyDue();
    // The sequence of the sweep precedes those of the crawls that follow it.
    beforeEach(() => {
      sequence += 1;
    });

    it('marks a missed registration as deleted only if the provider does not have it', async () => {
      const gone = await enrolment.create('ada@example.org');
      const there = await enrolment.create('bob@example.org');
      enrolment.account(1).registrations.delete(gone.registration_guid);
      await sweep({ sequence });
      expect(await verify()).toBe(2);
      expect(await read(gone.registration_guid)).toMatchObject({ deleted: 1 });
      expect(await read(there.registration_guid)).toMatchObject({ deleted: null });
      expect(await verify()).toBe(0);
    });

    it('waits while the realm is disabled', async () => {
      await enrolment.create('ada@example.org');
      await sweep({ sequence });
      await enrolment.switchRealm(false);
      expect(await verify()).toBe(0);
      await enrolment.switchRealm(true);
      expect(await verify()).toBe(1);
    });

    it('skips registrations that are newer than the sweep, were crawled since, or belong to another application', async () => {
      await enrolment.create('eve@example.org', { applicationId: 2 });
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      await sweep({ sequence, startedAt: '2026-01-01T00:00:00Z' });
      expect(await verify()).toBe(0);
      await recrawl({ filters: { registrationGuid: guid } });
      requests = [];
      await sweep({ sequence });
      expect(await verify()).toBe(0);
      expect(requests).toEqual([]);
    });

    it('crawls missed registrations in batches of 100', async () => {
      await enrolment.database.execute(
        sql`INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
              registration_guid, provider_state)
            SELECT 1, 1, 'swimming', 'ada@example.org', 'many-' || n, 'ready'
            FROM generate_series(1, 150) AS n`,
      );
      await sweep({ sequence });
      expect([await verify(), await verify(), await verify()]).toEqual([100, 50, 0]);
      const records = await enrolment.index();
      expect(records.filter((record) => record.deleted === 1)).toHaveLength(150);
    });

    it('crawls a missed registration again later when the crawler failed', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      enrolment.account(1).registrations.delete(guid);
      await sweep({ sequence });
      enrolment.crawler.crawl = () =>
        Promise.reject(new Failure('unavailable', 'the crawler is unavailable'));
      await expect(verify()).rejects.toMatchObject({ code: 'unavailable' });
      enrolment.crawler.crawl = crawl;
      expect(await verify()).toBe(0);
      await enrolment.database.execute(
        sql`UPDATE registrations SET verify_after = now() - interval '1 s' WHERE realm_id = 1`,
      );
      expect(await verify()).toBe(1);
      expect(await read(guid)).toMatchObject({ deleted: 1 });
    });
  });
});
