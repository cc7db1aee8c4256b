import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PayloadOf } from '@registrar/bus';
import {
  type CrawlOutcome,
  type ProviderRegistration,
  registrationRecord,
  type registrationsCrawled,
  toTimestamp,
} from '@registrar/contracts';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { enrolmentSchema } from '../schema.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { ImportCrawl } from './import-crawl.ts';
import { RecordCrawls } from './record-crawls.ts';
import * as z from 'zod';
import { registrationColumns } from './registration-record.ts';

type Crawled = PayloadOf<typeof registrationsCrawled>;

const applicationId = 3;
const realmId = 1;

const result = (
  registrationGuid: string,
  parts: Partial<ProviderRegistration> = {},
): ProviderRegistration => ({
  registrationGuid,
  courseGuid: 'swimming',
  courseTitle: 'Swimming',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada', email: 'Ada@Example.org', firstName: 'Ada', lastName: 'Lovelace' },
  completion: 'incomplete',
  success: 'unknown',
  score: null,
  totalSeconds: 0,
  attempts: 1,
  createdAt: '2026-01-01T10:00:00Z',
  updatedAt: '2026-01-02T10:00:00Z',
  completedAt: null,
  accessedAt: '2026-01-02T10:00:00Z',
  activity: null,
  ...parts,
});

const crawled = (registration: ProviderRegistration): CrawlOutcome => ({
  outcome: 'crawled',
  registrationGuid: registration.registrationGuid,
  result: registration,
  digest: 'd'.repeat(32),
});
const failed = (registrationGuid: string, errorCode = '500'): CrawlOutcome => ({
  outcome: 'failed',
  registrationGuid,
  errorCode,
  errorMessage: `failed with ${errorCode}`,
});
const deleted = (registrationGuid: string): CrawlOutcome => ({
  outcome: 'deleted',
  registrationGuid,
});

/** A crawl that was requested `sequence` seconds after the start of 2026. */
const crawl = (
  sequence: number,
  outcomes: CrawlOutcome[],
  parts: Partial<Crawled> = {},
): Crawled => ({
  applicationId,
  realmId,
  sequence,
  crawledAt: toTimestamp(new Date(Date.UTC(2026, 0, 1) + sequence * 1000)),
  crawlType: 'course',
  outcomes,
  ...parts,
});

describe('the events of crawls', () => {
  let server: TestDatabase;
  let database: Database;
  let importCrawl: ImportCrawl;
  let recordCrawls: RecordCrawls;

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(enrolmentSchema, server.url);
    importCrawl = new ImportCrawl(database, new ApplyCrawl(database));
    recordCrawls = new RecordCrawls(database);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  const read = async (registrationGuid: string) => {
    return database.many(
      registrationRecord,
      sql`SELECT ${registrationColumns} FROM registrations AS r
          WHERE r.registration_guid = ${registrationGuid}
          ORDER BY r.provider_application_id`,
    );
  };
  const readOne = async (registrationGuid: string) => {
    const [record, ...others] = await read(registrationGuid);
    expect(others).toEqual([]);
    return record;
  };

  it('the events of crawls insert a registration that was created at the provider, with its result', async () => {
    const guid = randomUUID();
    await importCrawl.import(
      crawl(5, [crawled(result(guid, { completion: 'complete', success: 'failed', score: 12 }))]),
    );
    expect(await readOne(guid)).toMatchObject({
      registration_guid: guid,
      course_guid: 'swimming',
      learner_id: 'Ada@Example.org',
      complete: 'complete',
      success: 'failed',
      score: 12,
      attempts: 1,
      crawl_type: 'course',
      crawl_status: 'success',
      crawl_error_msg: null,
      number_of_crawl_errors: 0,
      last_crawled_at: '2026-01-01T00:00:05Z',
      provider_created_at: '2026-01-01T10:00:00Z',
      provider_completed_at: null,
      course_result: expect.stringContaining(`regid="${guid}"`),
      full_result: null,
      deleted: null,
      hosted_app_id: applicationId,
      hosted_course_id: null,
    });
  });

  it('the events of crawls store the provider’s learner id when the learner has no e-mail address', async () => {
    const guid = randomUUID();
    const learner = { id: 'employee 7', email: null, firstName: '', lastName: '' };
    await importCrawl.import(crawl(1, [crawled(result(guid, { learner }))]));
    expect(await readOne(guid)).toMatchObject({ learner_id: 'employee 7' });
  });

  it('the events of crawls insert registrations with ids in the order of their creation at the provider', async () => {
    const [oldest, newest, middle] = [randomUUID(), randomUUID(), randomUUID()];
    const created = [
      [middle, '2026-01-02T10:00:00Z'],
      [newest, '2026-01-03T10:00:00Z'],
      [oldest, '2026-01-01T10:00:00Z'],
    ] as const;
    const results = created.map(([guid, createdAt]) => crawled(result(guid, { createdAt })));
    await importCrawl.import(crawl(1, results));
    const ids = [oldest, middle, newest].map(async (guid) => (await readOne(guid))?.id ?? 0);
    const inOrder = await Promise.all(ids);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  });

  it('the events of crawls store full_result only for crawls of the type full', async () => {
    const guid = randomUUID();
    const full = result(guid, { activity: { id: 'root', title: 'Swimming' } });
    await importCrawl.import(crawl(1, [crawled(full)], { crawlType: 'full' }));
    expect(await readOne(guid)).toMatchObject({
      crawl_type: 'full',
      full_result: expect.stringContaining('<activity id="root">'),
    });
    await importCrawl.import(crawl(2, [crawled(result(guid))]));
    expect(await readOne(guid)).toMatchObject({ crawl_type: 'course', full_result: null });
  });

  it('the events of crawls count failures, keep the last result, and clear crawl_error_msg at the next success', async () => {
    const guid = randomUUID();
    await importCrawl.import(crawl(1, [crawled(result(guid, { score: 50 }))]));
    await importCrawl.import(crawl(2, [failed(guid, '500')]));
    await importCrawl.import(crawl(3, [failed(guid, '429')]));
    await importCrawl.import(crawl(3, [failed(guid, '429')]));
    expect(await readOne(guid)).toMatchObject({
      score: 50,
      crawl_status: 'error',
      crawl_error_msg: 'failed with 429',
      provider_errcode: '429',
      provider_error_message: 'failed with 429',
      number_of_crawl_errors: 2,
      last_crawled_at: '2026-01-01T00:00:01Z',
    });
    await importCrawl.import(crawl(4, [crawled(result(guid, { score: 60 }))]));
    expect(await readOne(guid)).toMatchObject({
      score: 60,
      crawl_status: 'success',
      crawl_error_msg: null,
      provider_errcode: '429',
      number_of_crawl_errors: 2,
    });
  });

  it('the events of crawls mark a registration that was deleted at the provider, and keep its last result', async () => {
    const guid = randomUUID();
    await importCrawl.import(crawl(1, [crawled(result(guid, { score: 50 }))]));
    await importCrawl.import(crawl(2, [deleted(guid)]));
    expect(await readOne(guid)).toMatchObject({ deleted: 1, score: 50, crawl_status: 'success' });
  });

  it('the events of crawls change only registrations of their provider application', async () => {
    const guid = randomUUID();
    await importCrawl.import(crawl(1, [crawled(result(guid, { score: 1 }))]));
    await importCrawl.import(crawl(2, [crawled(result(guid, { score: 2 }))], { applicationId: 4 }));
    await importCrawl.import(crawl(3, [deleted(guid)], { applicationId: 5 }));
    const records = await read(guid);
    expect(records.map((record) => [record.hosted_app_id, record.score, record.deleted])).toEqual([
      [3, 1, null],
      [4, 2, null],
    ]);
  });

  it('the events of crawls ignore deletions and failures of unknown registrations', async () => {
    const guid = randomUUID();
    await importCrawl.import(crawl(1, [deleted(guid)]));
    await importCrawl.import(crawl(2, [failed(guid)]));
    expect(await read(guid)).toEqual([]);
  });

  it('concurrent overlapping crawls neither deadlock nor lose a result', async () => {
    const guids = Array.from({ length: 40 }, () => randomUUID());
    const pages = Array.from({ length: 12 }, (_, page) =>
      crawl(
        page + 1,
        (page % 2 ? guids : guids.toReversed()).map((guid) =>
          crawled(result(guid, { score: page })),
        ),
      ),
    );
    await Promise.all(pages.map((page) => importCrawl.import(page)));
    for (const guid of guids) expect(await readOne(guid)).toMatchObject({ score: 11 });
  });

  describe('registrations that sweeps did not return', () => {
    const startedAt = '2100-01-01T00:00:00Z';
    const isMissed = async (guid: string) => {
      const { missed } = await database.one(
        z.object({ missed: z.boolean() }),
        sql`SELECT missed FROM registrations WHERE registration_guid = ${guid}`,
      );
      return missed;
    };
    const guid = randomUUID();
    // Another one than the other tests', whose registrations the sweeps did not return either.
    const swimmers = { applicationId: 4 };
    const found = (sequence: number, outcome: CrawlOutcome) =>
      importCrawl.import(crawl(sequence, [outcome], swimmers));
    const known = (sequence: number) => found(sequence, crawled(result(guid)));
    const gone = (sequence: number) => found(sequence, deleted(guid));
    const broken = (sequence: number) => found(sequence, failed(guid));
    const swept = (sequence: number) =>
      recordCrawls.recordSweep({ ...swimmers, sequence, startedAt });

    it('registrations that sweeps did not return are missed until a crawl that is newer than the newest sweep', async () => {
      await known(10);
      await swept(30);
      await swept(20);
      await known(25);
      expect(await isMissed(guid)).toBe(true);
      await known(31);
      expect(await isMissed(guid)).toBe(false);
    });

    it('registrations that sweeps did not return are not missed when a newer crawl failed or reported the deletion', async () => {
      await broken(41);
      await swept(40);
      expect(await isMissed(guid)).toBe(false);
      await gone(51);
      await swept(50);
      expect(await isMissed(guid)).toBe(false);
    });

    it('registrations that sweeps did not return are missed when they were deleted and an older result restores them', async () => {
      await swept(70);
      expect(await isMissed(guid)).toBe(false);
      await known(60);
      expect(await isMissed(guid)).toBe(true);
    });
  });

  it('converge to the newest outcomes in any order and with any repetition', async () => {
    const kinds = ['crawled', 'deleted', 'failed', 'absent'] as const;
    const schedules = fc
      .array(fc.tuple(...[1, 2, 3].map(() => fc.constantFrom(...kinds))), {
        minLength: 1,
        maxLength: 6,
      })
      .chain((pages) =>
        fc.record({
          pages: fc.constant(pages),
          // Every page arrives at least once; replayed ones again, at any position.
          order: fc.subarray([...pages.keys()]).chain((again) => {
            const arrivals = [...pages.keys(), ...again];
            return fc.shuffledSubarray(arrivals, { minLength: arrivals.length });
          }),
        }),
      );

    await fc.assert(
      fc.asyncProperty(schedules, async ({ pages, order }) => {
        const guids = [0, 1, 2].map(() => randomUUID());
        // Known from the start, because no crawl reports the deletion of an unknown registration.
        await importCrawl.import(
          crawl(
            1,
            guids.map((guid) => crawled(result(guid))),
          ),
        );
        const outcomesOf = (kinds: readonly string[], sequence: number) =>
          guids.flatMap((guid, index): CrawlOutcome[] => {
            if (kinds[index] === 'crawled') return [crawled(result(guid, { score: sequence }))];
            if (kinds[index] === 'deleted') return [deleted(guid)];
            return kinds[index] === 'failed' ? [failed(guid, `${sequence}`)] : [];
          });
        for (const index of order) {
          await importCrawl.import(crawl(index + 2, outcomesOf(pages[index] ?? [], index + 2)));
        }
        for (const [index, guid] of guids.entries()) {
          const newest = (kind: string) => pages.findLastIndex((page) => page[index] === kind) + 2;
          const [seen, gone, broken] = [
            Math.max(newest('crawled'), 1),
            newest('deleted'),
            newest('failed'),
          ];
          const answered = Math.max(seen, gone);
          expect(await readOne(guid)).toMatchObject({
            score: seen > 1 ? seen : null,
            deleted: gone > seen ? 1 : null,
            crawl_status: broken > answered ? 'error' : 'success',
            crawl_error_msg: broken > answered ? `failed with ${broken}` : null,
            provider_errcode: broken > 1 ? `${broken}` : null,
            last_crawled_at: crawl(answered, []).crawledAt,
          });
        }
      }),
    );
  });
});
