import { startApp } from '@registrar/bootstrap';
import {
  BusClient,
  busMigrations,
  defaultRequestTimeoutMs,
  HandleEvent,
  inProcessTransport,
  type InputOf,
  Outbox,
  type PayloadOf,
  type ReplyOf,
} from '@registrar/bus';
import {
  type AccessScope,
  appendPackagePiece,
  type courseFilters,
  courseChanged,
  type CourseRecord,
  createCourse,
  type coursesCrawled,
  type coursesSwept,
  Failure,
  indexCourses,
  findProviderCredentials,
  type ProviderCourse,
  emailAddress,
} from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Database, PersistenceModule, sql } from '@registrar/persistence';
import { createMigratedDatabase } from '@registrar/persistence/testing';
import {
  clock,
  generateMasterKey,
  providerSecretPurpose,
  Sealing,
  postbackSecretPurpose,
} from '@registrar/platform';
import { stubReply, startStubContext, type TestBusApp } from '@registrar/bus/testing';
import {
  type SimulatedAccount,
  SimulatedProvider,
  testLogger,
  testScope,
} from '@registrar/testing';
import { Controller } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { SweepCourses } from './courses/sweep-courses.ts';
import { ImportCrawledCourses } from './courses/upsert-courses.ts';
import { startCatalog } from './index.ts';
import { catalogSchema } from './schema.ts';

/** The realm of each provider application. */
const realms = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
]);

/** Bytes of the largest package that the fixture's catalog accepts. */
export const packageLimit = 3_000_000;

const pieceBytes = 512 * 1024;

/** The scope of a realm pair, or a part of it. */
export const scopeOf = (
  parts: { realmId?: number; applicationIds?: number[]; email?: string } = {},
): AccessScope =>
  testScope({
    realmId: parts.realmId ?? 1,
    applicationIds: parts.applicationIds ?? [1, 2],
    wholeRealm: !parts.applicationIds,
    user: parts.email ? { id: 1, email: emailAddress.parse(parts.email) } : null,
  });

/** A course as a crawl reports it. */
export const crawledCourse = (
  courseGuid: string,
  parts: Partial<ProviderCourse> = {},
): ProviderCourse => ({
  courseGuid,
  title: `Title of ${courseGuid}`,
  version: 0,
  size: 1000,
  learningStandard: 'SCORM_12',
  metadata: { title: '', description: '', duration: '', typicaltime: '', keywords: [] },
  warnings: null,
  createdAt: null,
  updatedAt: null,
  ...parts,
});

/** A time after everything that a suite does. */
export const later = '2100-01-01T00:00:00Z';

type Created = ReplyOf<typeof createCourse>;

/** Stands for enrolment: reports each event of catalog that it receives. */
@Controller()
class CatalogListener {
  constructor(private readonly received: EventEmitter) {}

  @HandleEvent(courseChanged)
  async courseChanged(payload: PayloadOf<typeof courseChanged>): Promise<void> {
    this.received.emit('change', payload);
  }
}

export type CatalogFixture = Awaited<ReturnType<typeof startCatalogFixture>>;

/**
 * Starts catalog on a database of its own, with a stub of identity and a simulated course provider.
 * Enrolment is not running, so published events stay in the outbox.
 */
export async function startCatalogFixture() {
  const server = await createMigratedDatabase(catalogSchema);
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const log = testLogger('catalog');
  const { logger } = log;
  const transport = inProcessTransport();

  const accounts = new Map<number, SimulatedAccount>();
  const addEmptyAccounts = () => {
    for (const id of realms.keys()) accounts.set(id, provider.addAccount(`app-${id}`));
  };
  addEmptyAccounts();
  const account = (applicationId: number) => {
    const found = accounts.get(applicationId);
    if (!found) throw new Failure('not-found', 'no such provider application');
    return found;
  };
  const sealing = Sealing.fromKeyFile(keyFile);
  /** The provider applications whose credentials were requested from identity. */
  const asked: number[] = [];
  const identity = await startStubContext(
    'identity',
    [
      stubReply(findProviderCredentials, async ({ applicationId }) => {
        asked.push(applicationId);
        const { appId, secretKey } = account(applicationId);
        return {
          applicationId,
          realmId: realms.get(applicationId) ?? 0,
          baseUrl: provider.url,
          appId,
          sealedSecretKey: sealing.seal(secretKey, providerSecretPurpose(appId)),
          sealedPostbackSecret: sealing.seal('postbacks', postbackSecretPurpose(appId)),
        };
      }),
    ],
    { transport, logger, databaseUrl: server.url },
  );
  const others: TestBusApp[] = [];
  const app = await startCatalog(
    {
      DATABASE_URL: server.url,
      MASTER_KEY_FILE: keyFile,
      MAX_PACKAGE_BYTES: packageLimit,
      LOG_LEVEL: 'debug',
    },
    { transport, logger },
  );
  const bus = app.get(BusClient);
  const database = app.get(Database);
  const importCrawledCourses = app.get(ImportCrawledCourses);
  const sweepCourses = app.get(SweepCourses);
  const stopOthers = async () => {
    await Promise.all(others.splice(0).map((other) => other.stop()));
  };

  return {
    app,
    bus,
    database,
    provider,
    account,
    identity: { asked, database: identity.get(Database), outbox: identity.get(Outbox) },
    lines: () => log.lines(),

    /** Starts a stub of the crawler, which publishes events. */
    async startCrawler() {
      const crawler = await startStubContext('crawler', [], {
        transport,
        logger,
        databaseUrl: server.url,
      });
      others.push(crawler);
      return { database: crawler.get(Database), outbox: crawler.get(Outbox) };
    },

    /** Starts a stub of enrolment and returns a function that waits for its next event. */
    async startEnrolment(): Promise<() => Promise<PayloadOf<typeof courseChanged>>> {
      const heard = new EventEmitter();
      const changes = on(heard, 'change');
      others.push(
        await startApp({
          name: 'enrolment',
          module: {
            module: class ListenerModule {},
            imports: [
              PersistenceModule.forContext(
                { name: 'enrolment', entities: [], migrations: busMigrations },
                server.url,
              ),
            ],
            controllers: [CatalogListener],
            providers: [{ provide: EventEmitter, useValue: heard }],
          },
          transport,
          logger,
        }),
      );
      return async () => {
        const { value } = await changes.next();
        const [course] = value as [PayloadOf<typeof courseChanged>];
        return course;
      };
    },

    /** Uploads a package piece by piece and returns the id of the upload. */
    async upload(bytes: Uint8Array, scope = scopeOf()): Promise<string> {
      const [uploadId, attemptId] = [randomUUID(), randomUUID()];
      for (let index = 0; index * pieceBytes < bytes.length; index += 1) {
        const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
        await bus.request(appendPackagePiece, {
          scope,
          uploadId,
          attemptId,
          index,
          bytes: Buffer.from(piece).toString('base64'),
        });
      }
      return uploadId;
    },

    /** Creates a course from an upload in provider application 1. */
    createFrom: (
      uploadId: string,
      courseGuid: string | null,
      parts: Partial<InputOf<typeof createCourse>> = {},
    ): Promise<Created> =>
      bus.request(createCourse, {
        scope: scopeOf(),
        applicationId: 1,
        source: { kind: 'package', uploadId, courseGuid },
        title: null,
        custom: null,
        ...parts,
      }),

    /** Registers a course that provider application 1 holds. */
    register: (
      courseGuid: string,
      parts: Partial<InputOf<typeof createCourse>> = {},
    ): Promise<Created> =>
      bus.request(createCourse, {
        scope: scopeOf(),
        applicationId: 1,
        source: { kind: 'held-by-provider', courseGuid },
        title: null,
        custom: null,
        ...parts,
      }),

    /** Handles a page of a crawl of provider application 1, read after everything that the suite did. */
    crawled: (
      sequence: number,
      courses: ProviderCourse[],
      parts: Partial<PayloadOf<typeof coursesCrawled>> = {},
    ): Promise<void> =>
      importCrawledCourses.import({
        applicationId: 1,
        sequence,
        crawledAt: later,
        courses,
        ...parts,
      }),

    /** Handles a sweep of provider application 1. */
    swept: (
      sequence: number,
      courseGuids: string[],
      parts: Partial<PayloadOf<typeof coursesSwept>> = {},
    ): Promise<void> =>
      sweepCourses.sweep({ applicationId: 1, sequence, startedAt: later, courseGuids, ...parts }),

    /** Returns all pages of an index. */
    async index(
      filters: z.output<typeof courseFilters> = {},
      { scope = scopeOf(), pageSize }: { scope?: AccessScope; pageSize?: number } = {},
    ): Promise<CourseRecord[]> {
      const records: CourseRecord[] = [];
      for await (const { items: page } of bus.pages(indexCourses, { scope, filters }, pageSize)) {
        records.push(...page);
      }
      return records;
    },

    /** Returns the payloads of the published events of a name, in order. */
    async published(name = 'catalog.course-changed'): Promise<Record<string, unknown>[]> {
      const rows = await database.many(
        z.object({ payload: z.record(z.string(), z.unknown()) }),
        sql`SELECT payload FROM outbox WHERE name = ${name} ORDER BY id`,
      );
      return rows.map((row) => row.payload);
    },

    /** Returns the numbers of stored uploads and pieces. */
    async storedUploads(): Promise<{ uploads: number; pieces: number }> {
      return database.one(
        z.object({ uploads: z.number(), pieces: z.number() }),
        sql`SELECT (SELECT count(*) FROM package_uploads) AS uploads,
                   (SELECT count(*) FROM package_pieces) AS pieces`,
      );
    },

    /** Lets every request expire as soon as the provider is asked for the import that it waits for. */
    expireDuringImport(): void {
      provider.intercept = ({ method, path }) => {
        if (method !== 'GET' || !path.startsWith('courses/importJobs/')) return undefined;
        clock.step(defaultRequestTimeoutMs);
        return { status: 200, body: { status: 'RUNNING' } };
      };
    },

    /** Deletes all rows, the data of the provider and its faults, and stops other contexts than identity. */
    async reset(): Promise<void> {
      await stopOthers();
      asked.length = 0;
      addEmptyAccounts();
      provider.requests.length = 0;
      provider.intercept = () => undefined;
      app.get(CourseProviderDirectory).invalidate();
      await database.execute(sql`
        TRUNCATE courses, course_changes, registration_counts, sweeps, pending_creates,
                 package_uploads, package_pieces, templates, template_changes, inbox, outbox,
                 outcomes, key_uses`);
      await database.execute(sql`ALTER SEQUENCE course_ids RESTART`);
    },

    async stop(): Promise<void> {
      await app.stop();
      await stopOthers();
      await identity.stop();
      await provider.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
