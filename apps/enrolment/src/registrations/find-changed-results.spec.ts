import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrawlOutcome, type ProviderRegistration, toTimestamp } from '@registrar/contracts';
import { type Database, openDatabase, sql } from '@registrar/persistence';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { enrolmentSchema } from '../schema.ts';
import { ApplyCrawl } from './apply-crawl.ts';
import { FindChangedResults } from './find-changed-results.ts';
import { ImportCrawl } from './import-crawl.ts';
import { RecordCrawls } from './record-crawls.ts';
import { lastCrawledAt, syncedAt } from './registration-record.ts';

const realmId = 1;
/** Digests of two results. */
const one = '1'.repeat(32);
const other = '2'.repeat(32);

describe('full sweeps of unchanged registrations', () => {
  let server: TestDatabase;
  let database: Database;
  let importCrawl: ImportCrawl;
  let recordCrawls: RecordCrawls;
  let findChanged: FindChangedResults;
  let lastApplication = 0;

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(enrolmentSchema, server.url);
    importCrawl = new ImportCrawl(database, new ApplyCrawl(database));
    recordCrawls = new RecordCrawls(database);
    findChanged = new FindChangedResults(database);
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await server.drop();
  });

  /** A registration of a new provider application, which a crawl has found. */
  const newRegistration = async () => {
    lastApplication += 1;
    const applicationId = lastApplication;
    const registrationGuid = randomUUID();
    const apply = (sequence: number, outcome: CrawlOutcome) =>
      importCrawl.import({
        applicationId,
        realmId,
        sequence,
        crawledAt: timeOf(sequence),
        crawlType: 'course',
        outcomes: [outcome],
      });
    const its = {
      applicationId,
      registrationGuid,
      crawled: (sequence: number, digest = one, score = sequence) =>
        apply(sequence, {
          outcome: 'crawled',
          registrationGuid,
          digest,
          result: { ...result, registrationGuid, score },
        }),
      deleted: (sequence: number) => apply(sequence, { outcome: 'deleted', registrationGuid }),
      failed: (sequence: number) =>
        apply(sequence, {
          outcome: 'failed',
          registrationGuid,
          errorCode: '500',
          errorMessage: 'broken',
        }),
      /** Compares a page that lists it in a sweep, and returns whether it has changed. */
      isChanged: async (sequence: number, { digest = one, sweep = sequence } = {}) => {
        const results = [{ registrationGuid, digest }];
        const { changed } = await findChanged.find({ applicationId, sweep, sequence, results });
        return changed.includes(registrationGuid);
      },
      /** A sweep from its first page to its end. */
      swept: (sequence: number) =>
        recordCrawls.recordSweep({ applicationId, sequence, startedAt: timeOf(sequence) }),
      read: () =>
        database.one(
          storedRow,
          sql`SELECT r.score, r.deleted IS NOT NULL AS deleted, r.missed, r.xmin::text AS version,
                     ${lastCrawledAt} AS "lastCrawledAt", ${syncedAt} AS "syncedAt"
              FROM registrations AS r
              WHERE r.provider_application_id = ${applicationId}
                AND r.registration_guid = ${registrationGuid}`,
        ),
    };
    await its.crawled(1);
    return its;
  };

  it('full sweeps of unchanged registrations find a registration unchanged whose digest is stored', async () => {
    const registration = await newRegistration();
    expect(await registration.isChanged(2)).toBe(false);
    expect(await registration.isChanged(3, { digest: other })).toBe(true);
    await registration.crawled(3, other);
    expect(await registration.isChanged(4, { digest: other })).toBe(false);
  });

  it('full sweeps of unchanged registrations find an unknown registration changed, and one that was crawled without a digest', async () => {
    const { applicationId, ...registration } = await newRegistration();
    const results = [{ registrationGuid: 'unknown', digest: one }];
    const page = { applicationId, sweep: 2, sequence: 2 };
    expect(await findChanged.find({ ...page, results })).toEqual({ changed: ['unknown'] });
    await database.execute(sql`
      UPDATE registrations SET result_digest = NULL
      WHERE provider_application_id = ${applicationId}`);
    expect(await registration.isChanged(3)).toBe(true);
  });

  it('full sweeps of unchanged registrations find a registration changed while a failure, a deletion or a missed sweep is newer', async () => {
    const failing = await newRegistration();
    await failing.failed(2);
    expect(await failing.isChanged(3)).toBe(true);
    const deleted = await newRegistration();
    await deleted.deleted(2);
    expect(await deleted.isChanged(3)).toBe(true);
    const missed = await newRegistration();
    await missed.swept(2);
    expect(await missed.isChanged(3)).toBe(true);
  });

  it('full sweeps of unchanged registrations leave a registration alone that a client has deleted', async () => {
    const registration = await newRegistration();
    await registration.deleted(Number.MAX_SAFE_INTEGER);
    expect(await registration.isChanged(2)).toBe(false);
  });

  it('full sweeps of unchanged registrations do not write an unchanged registration, and do not miss it', async () => {
    const registration = await newRegistration();
    const before = await registration.read();
    await registration.isChanged(2);
    await registration.swept(2);
    const { version, ...after } = await registration.read();
    expect(version).toBe(before.version);
    expect(after).toMatchObject({ missed: false, lastCrawledAt: new Date(timeOf(2)) });
    await registration.isChanged(3);
    await registration.swept(3);
    expect(await registration.read()).toMatchObject({ version, missed: false });
  });

  it('pages of changes are compared, and are no pages of a sweep', async () => {
    const { applicationId, registrationGuid, ...registration } = await newRegistration();
    const compare = async (sequence: number, digest: string) => {
      const results = [{ registrationGuid, digest }];
      return findChanged.find({ applicationId, sweep: null, sequence, results });
    };
    expect(await compare(2, one)).toEqual({ changed: [] });
    expect(await compare(3, other)).toEqual({ changed: [registrationGuid] });
    await registration.swept(4);
    expect(await registration.read()).toMatchObject({ missed: true });
    expect(await compare(5, one)).toEqual({ changed: [registrationGuid] });
  });

  it('miss a registration that no page lists, and show the time of its own crawl', async () => {
    const registration = await newRegistration();
    await registration.swept(2);
    expect(await registration.read()).toMatchObject({
      missed: true,
      lastCrawledAt: new Date(timeOf(1)),
      syncedAt: new Date(timeOf(1)),
    });
  });

  it('full sweeps of unchanged registrations do not miss registrations of a sweep whose end arrives after that of a newer one', async () => {
    const registration = await newRegistration();
    await registration.isChanged(2);
    await registration.isChanged(3);
    await registration.swept(3);
    await registration.swept(2);
    expect(await registration.read()).toMatchObject({ missed: false });
  });

  it('full sweeps of unchanged registrations delete the pages of sweeps that are complete or were given up', async () => {
    const registration = await newRegistration();
    await registration.isChanged(2);
    await registration.isChanged(4, { sweep: 3 });
    await registration.swept(3);
    const pages = sql`SELECT FROM swept_pages
                      WHERE provider_application_id = ${registration.applicationId}`;
    expect(await database.many(z.object({}), pages)).toEqual([]);
  });

  it('full sweeps of unchanged registrations ignore an older result that arrives after the page that found the registration unchanged', async () => {
    const registration = await newRegistration();
    await registration.isChanged(4, { sweep: 3 });
    await registration.crawled(2, other);
    expect(await registration.read()).toMatchObject({ score: 1 });
    await registration.swept(3);
    await registration.crawled(2, other);
    await registration.deleted(2);
    expect(await registration.read()).toMatchObject({ score: 1, deleted: false });
    await registration.crawled(5, other);
    expect(await registration.read()).toMatchObject({ score: 5 });
  });

  it('full sweeps of unchanged registrations leave the freshness of registrations to crawls of changes', async () => {
    const registration = await newRegistration();
    const { applicationId } = registration;
    await recordCrawls.recordChanges({ applicationId, startedAt: timeOf(9) });
    await recordCrawls.recordChanges({ applicationId, startedAt: timeOf(8) });
    expect(await registration.read()).toMatchObject({
      lastCrawledAt: new Date(timeOf(1)),
      syncedAt: new Date(timeOf(9)),
    });
  });
});

const storedRow = z.object({
  score: z.number().nullable(),
  deleted: z.boolean(),
  missed: z.boolean(),
  /** Of the row. */
  version: z.string(),
  lastCrawledAt: z.date(),
  syncedAt: z.date(),
});

/** A crawl was requested `sequence` seconds after the start of 2100, after all registrations were created. */
const timeOf = (sequence: number) =>
  toTimestamp(new Date(Date.UTC(2100, 0, 1) + Math.min(sequence, 1000) * 1000));

const result: Omit<ProviderRegistration, 'registrationGuid'> = {
  courseGuid: 'swimming',
  courseTitle: 'Swimming',
  courseVersion: 0,
  instance: 0,
  learner: { id: 'ada', email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace' },
  completion: 'incomplete',
  success: 'unknown',
  totalSeconds: 0,
  attempts: 1,
  createdAt: null,
  updatedAt: null,
  completedAt: null,
  accessedAt: null,
  activity: null,
  score: null,
};
