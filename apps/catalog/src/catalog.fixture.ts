import {
  BusClient,
  busMigrations,
  HandleEvent,
  inProcessTransport,
  type InputOf,
  Outbox,
  type PayloadOf,
  type ReplyOf,
  startApp,
} from '#libs/bus';
import {
  type AccessScope,
  accessScope,
  appendPackagePiece,
  type courseFilters,
  courseChanged,
  type CourseRecord,
  createCourse,
  type coursesCrawled,
  type coursesSwept,
  Failure,
  indexCourses,
  providerCredentials,
  type ProviderCourse,
} from '#libs/contracts';
import { Database, PersistenceModule } from '#libs/persistence';
import { generateMasterKey, providerSecretPurpose, Sealing } from '#libs/platform';
import {
  answer,
  createTestDatabase,
  SimulatedProvider,
  startStandIn,
  testLogger,
} from '#libs/testing';
import { Controller } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { CrawlEvents } from './courses/crawl-events.ts';
import { startCatalog } from './index.ts';

/** The realm of each provider application. */
const realms = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
]);

/** The largest package that the fixture's catalog takes: bytes. */
export const packageLimit = 3_000_000;

const pieceBytes = 512 * 1024;

/** The scope of a realm pair, or a part of it. */
export const scopeOf = (
  parts: { realmId?: number; applicationIds?: number[]; email?: string } = {},
): AccessScope =>
  accessScope.parse({
    realmId: parts.realmId ?? 1,
    applicationIds: parts.applicationIds ?? [1, 2],
    wholeRealm: !parts.applicationIds,
    user: parts.email ? { id: 1, email: parts.email } : null,
    expiresAt: null,
  });

/** A course as a crawl tells it. */
export const told = (courseGuid: string, parts: Partial<ProviderCourse> = {}): ProviderCourse => ({
  courseGuid,
  title: `Title of ${courseGuid}`,
  version: 0,
  size: 1000,
  registrationCount: 0,
  learningStandard: 'SCORM_12',
  metadata: { title: '', description: '', duration: '', typicaltime: '', keywords: [] },
  createdAt: null,
  updatedAt: null,
  ...parts,
});

/** A time after all that a suite does. */
export const later = '2100-01-01T00:00:00Z';

type Created = ReplyOf<typeof createCourse>;

/** Enrolment, as far as it listens to the catalog. */
@Controller()
class CatalogListener {
  constructor(private readonly heard: EventEmitter) {}

  @HandleEvent(courseChanged)
  async courseChanged(payload: PayloadOf<typeof courseChanged>): Promise<void> {
    this.heard.emit('change', payload);
  }
}

export type CatalogFixture = Awaited<ReturnType<typeof startCatalogFixture>>;

/**
 * Starts the catalog on a database of its own, beside a stand-in of identity and a simulated
 * course provider. Enrolment is away, so what is published stays in the outbox.
 */
export async function startCatalogFixture() {
  const server = await createTestDatabase();
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const log = testLogger('catalog');
  const { logger } = log;
  const transport = inProcessTransport();

  const accounts = new Map([...realms.keys()].map((id) => [id, provider.addAccount(`app-${id}`)]));
  const account = (applicationId: number) => {
    const found = accounts.get(applicationId);
    if (!found) throw new Failure('not-found', 'no such provider application');
    return found;
  };
  const sealing = Sealing.fromKeyFile(keyFile);
  /** The applications whose credentials identity was asked for. */
  const asked: number[] = [];
  const identity = await startStandIn(
    'identity',
    [
      answer(providerCredentials, async ({ applicationId }) => {
        asked.push(applicationId);
        const { appId, secretKey } = account(applicationId);
        return {
          applicationId,
          realmId: realms.get(applicationId) ?? 0,
          baseUrl: provider.url,
          appId,
          sealedSecretKey: sealing.seal(secretKey, providerSecretPurpose(appId)),
        };
      }),
    ],
    { transport, logger, databaseUrl: server.url },
  );
  const others = [identity];
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
  const events = app.get(CrawlEvents);

  return {
    app,
    bus,
    database,
    provider,
    account,
    identity: { asked, database: identity.get(Database), outbox: identity.get(Outbox) },
    lines: () => log.lines(),

    /** Starts a stand-in of enrolment; the answer waits for the next course that it hears of. */
    async startEnrolment(): Promise<() => Promise<PayloadOf<typeof courseChanged>>> {
      const heard = new EventEmitter();
      const changes = on(heard, 'change');
      others.push(
        await startApp({
          name: 'enrolment',
          module: {
            module: CatalogListener,
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

    /** Uploads a package piece by piece and answers the upload's id. */
    async upload(bytes: Uint8Array, scope = scopeOf()): Promise<string> {
      const uploadId = randomUUID();
      for (let index = 0; index * pieceBytes < bytes.length; index += 1) {
        const piece = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
        await bus.request(appendPackagePiece, {
          scope,
          uploadId,
          index,
          bytes: Buffer.from(piece).toString('base64'),
        });
      }
      return uploadId;
    },

    /** Creates a course of an upload in provider application 1. */
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

    /** A page of a crawl of provider application 1, asked for after all that the suite did. */
    crawled: (
      sequence: number,
      courses: ProviderCourse[],
      parts: Partial<PayloadOf<typeof coursesCrawled>> = {},
    ): Promise<void> =>
      events.crawled({ applicationId: 1, sequence, crawledAt: later, courses, ...parts }),

    /** The end of a sweep of provider application 1. */
    swept: (
      sequence: number,
      courseGuids: string[],
      parts: Partial<PayloadOf<typeof coursesSwept>> = {},
    ): Promise<void> =>
      events.swept({ applicationId: 1, sequence, startedAt: later, courseGuids, ...parts }),

    /** The whole answer of an index. */
    async index(
      filters: z.output<typeof courseFilters> = {},
      { scope = scopeOf(), pageSize }: { scope?: AccessScope; pageSize?: number } = {},
    ): Promise<CourseRecord[]> {
      const records: CourseRecord[] = [];
      for await (const page of bus.pages(indexCourses, { scope, filters }, pageSize)) {
        records.push(...page);
      }
      return records;
    },

    /** The payloads of what was published, in order. */
    async published(): Promise<Record<string, unknown>[]> {
      const rows = await database.query<{ payload: Record<string, unknown> }>(
        `SELECT payload FROM outbox WHERE name = 'catalog.course-changed' ORDER BY id`,
      );
      return rows.map((row) => row.payload);
    },

    /** How many uploads and pieces are kept. */
    async keptUploads(): Promise<{ uploads: number; pieces: number }> {
      const [row] = await database.query<{ uploads: number; pieces: number }>(
        `SELECT (SELECT count(*)::integer FROM package_uploads) AS uploads,
                (SELECT count(*)::integer FROM package_pieces) AS pieces`,
      );
      return row ?? { uploads: NaN, pieces: NaN };
    },

    async stop(): Promise<void> {
      await app.stop();
      await Promise.all(others.map((other) => other.stop()));
      await provider.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
