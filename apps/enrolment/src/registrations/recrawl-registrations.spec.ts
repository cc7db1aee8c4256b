import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InputOf, type ReplyOf } from '#libs/bus';
import { type crawlRegistrations, Failure, recrawlRegistrations } from '#libs/contracts';
import { connectCourseProvider } from '#libs/course-provider';
import { currentOperation, runOperation } from '#libs/platform';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { NoteSweep } from './note-sweep.ts';
import { VerifyMissed } from './verify-missed.ts';

type Asked = InputOf<typeof crawlRegistrations>;

describe('registrations that are asked for by name', () => {
  let enrolment: EnrolmentFixture;
  let asked: Asked[];
  let sequence = 0;

  /** A crawler that asks the provider, as the real one does. */
  const crawl = async (input: Asked): Promise<ReplyOf<typeof crawlRegistrations>> => {
    asked.push(input);
    const { appId, secretKey } = enrolment.account(input.applicationId);
    const baseUrl = enrolment.provider.url;
    const provider = connectCourseProvider({ baseUrl, appId, secretKey });
    sequence += 1;
    const crawledAt = new Date().toISOString();
    const outcomes = await Promise.all(
      input.registrationGuids.map(async (registrationGuid) => {
        const result = await provider.getRegistration(registrationGuid, 'course');
        return result
          ? ({ outcome: 'crawled', registrationGuid, result } as const)
          : ({ outcome: 'deleted', registrationGuid } as const);
      }),
    );
    return { sequence, crawledAt, crawlType: 'course', outcomes };
  };

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  beforeEach(async () => {
    asked = [];
    enrolment.crawler.crawl = crawl;
    await enrolment.database.query('DELETE FROM registrations WHERE realm_id = 1');
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
  const askedGuids = () => asked.flatMap((input) => input.registrationGuids).toSorted();
  const read = async (registrationGuid: string) => (await enrolment.index({ registrationGuid }))[0];

  describe('by a recrawl', () => {
    it('have the provider’s result before the index answers', async () => {
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

    it('are those of the filters and the scope, each application asked once', async () => {
      const inOne = await enrolment.create('ada@example.org');
      const inTwo = await enrolment.create('ada@example.org', { applicationId: 2 });
      await enrolment.create('bob@example.org');
      const filters = { learnerId: 'ada@example.org' };
      expect(await recrawl({ filters })).toEqual({ recrawled: 2 });
      expect(asked.toSorted((a, b) => a.applicationId - b.applicationId)).toEqual([
        { applicationId: 1, registrationGuids: [inOne.registration_guid] },
        { applicationId: 2, registrationGuids: [inTwo.registration_guid] },
      ]);
      asked = [];
      await recrawl({ scope: scopeOf({ applicationIds: [2] }) });
      expect(askedGuids()).toEqual([inTwo.registration_guid]);
      asked = [];
      await recrawl({ scope: scopeOf({ email: 'ada@example.org' }), lastOnly: true });
      expect(askedGuids()).toEqual([inTwo.registration_guid]);
    });

    it('are those launched since their last crawl, when only they are wanted', async () => {
      // Launched and crawled: seconds ago, or never.
      const cases = [
        { launched: null, crawled: null, due: false },
        { launched: null, crawled: 10, due: false },
        { launched: 10, crawled: null, due: true },
        { launched: 5, crawled: 10, due: true },
        { launched: 10, crawled: 5, due: false },
        { launched: 10, crawled: 10, due: false },
      ];
      const due: string[] = [];
      for (const each of cases) {
        const { registration_guid: guid } = await enrolment.create('ada@example.org');
        await enrolment.database.query(
          `UPDATE registrations
           SET launched_at = timestamptz '2026-01-01' - $2 * interval '1 s',
               last_crawled_at = timestamptz '2026-01-01' - $3 * interval '1 s'
           WHERE registration_guid = $1`,
          [guid, each.launched, each.crawled],
        );
        if (each.due) due.push(guid);
      }
      expect(await recrawl({ which: 'launched' })).toEqual({ recrawled: due.length });
      expect(askedGuids()).toEqual(due.toSorted());
    });

    it('are a hundred at most, those crawled longest ago first', async () => {
      await enrolment.database.query(
        `INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
           registration_guid, provider_state, last_crawled_at)
         SELECT 1, 1, 'swimming', 'ada@example.org', 'many-' || n, 'ready',
                CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-01' - n * interval '1 s' END
         FROM generate_series(1, 180) AS n`,
      );
      expect(await recrawl()).toEqual({ recrawled: 100 });
      const numbers = askedGuids().map((guid) => Number(guid.slice(5)));
      expect(numbers.filter((n) => n % 2 === 1)).toHaveLength(90);
      expect(numbers.filter((n) => n % 2 === 0).toSorted((a, b) => a - b)[0]).toBe(162);
    });

    it('stay as stored when the crawler fails or leaves some out, and the log says so', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      complete(guid);
      enrolment.crawler.crawl = () => Promise.reject(new Failure('unavailable', 'it is away'));
      expect(await recrawl()).toEqual({ recrawled: 0 });
      enrolment.crawler.crawl = async (input) => ({ ...(await crawl(input)), outcomes: [] });
      expect(await recrawl()).toEqual({ recrawled: 0 });
      expect(await read(guid)).toMatchObject({ complete: 'unknown', last_crawled_at: null });
      expect(enrolment.lines()).toContainEqual(
        expect.objectContaining({ level: 'warn', application: 1, code: 'unavailable' }),
      );
    });

    it('stay as stored when the crawler is slow, with time left for the index', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      let given: number | null | undefined;
      enrolment.crawler.crawl = () => {
        given = currentOperation()?.deadline;
        return new Promise(() => undefined);
      };
      const deadline = Date.now() + 1_500;
      await runOperation({ requestId: 'r', deadline }, async () => {
        expect(await recrawl()).toEqual({ recrawled: 0 });
        expect(await read(guid)).toMatchObject({ registration_guid: guid });
      });
      expect(given).toBeLessThan(deadline);
    });
  });

  describe('after a sweep did not see them', () => {
    const sweep = (parts: { sequence?: number; startedAt?: string } = {}) =>
      enrolment.app.get(NoteSweep).run({
        applicationId: 1,
        sequence: sequence + 1,
        startedAt: new Date(Date.now() + 60_000).toISOString(),
        ...parts,
      });
    const verify = () => enrolment.app.get(VerifyMissed).run();
    // The sweep's own sequence comes before those of the crawls that follow it.
    beforeEach(() => {
      sequence += 1;
    });

    it('are deleted when the provider says so, and stay when it does not', async () => {
      const gone = await enrolment.create('ada@example.org');
      const there = await enrolment.create('bob@example.org');
      enrolment.account(1).registrations.delete(gone.registration_guid);
      await sweep({ sequence });
      expect(await verify()).toBe(2);
      expect(await read(gone.registration_guid)).toMatchObject({ deleted: 1 });
      expect(await read(there.registration_guid)).toMatchObject({ deleted: null });
      expect(await verify()).toBe(0);
    });

    it('are not asked for when they are younger, were seen, or belong elsewhere', async () => {
      await enrolment.create('eve@example.org', { applicationId: 2 });
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      await sweep({ sequence, startedAt: '2026-01-01T00:00:00Z' });
      expect(await verify()).toBe(0);
      await recrawl({ filters: { registrationGuid: guid } });
      asked = [];
      await sweep({ sequence });
      expect(await verify()).toBe(0);
      expect(asked).toEqual([]);
    });

    it('are asked for in pieces of a hundred', async () => {
      await enrolment.database.query(
        `INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
           registration_guid, provider_state)
         SELECT 1, 1, 'swimming', 'ada@example.org', 'many-' || n, 'ready'
         FROM generate_series(1, 150) AS n`,
      );
      await sweep({ sequence });
      expect([await verify(), await verify(), await verify()]).toEqual([100, 50, 0]);
      const records = await enrolment.index();
      expect(records.filter((record) => record.deleted === 1)).toHaveLength(150);
    });

    it('are asked for again later when the crawler did not answer', async () => {
      const { registration_guid: guid } = await enrolment.create('ada@example.org');
      enrolment.account(1).registrations.delete(guid);
      await sweep({ sequence });
      enrolment.crawler.crawl = () => Promise.reject(new Failure('unavailable', 'it is away'));
      await expect(verify()).rejects.toMatchObject({ code: 'unavailable' });
      enrolment.crawler.crawl = crawl;
      expect(await verify()).toBe(0);
      await enrolment.database.query(
        `UPDATE registrations SET verify_after = now() - interval '1 s' WHERE realm_id = 1`,
      );
      expect(await verify()).toBe(1);
      expect(await read(guid)).toMatchObject({ deleted: 1 });
    });
  });
});
