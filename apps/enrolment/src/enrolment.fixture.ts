import { PeriodicTasks, type StartedApp } from '@registrar/bootstrap';
import { BusClient, inProcessTransport, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  crawlRegistrations,
  createRegistration,
  type EmailAddress,
  emailAddress,
  ensureUser,
  ensureUsers,
  Failure,
  findCourse,
  indexRegistrations,
  type ListedRegistrationRecord,
  findProviderCredentials,
  reportThrottledCall,
  takeProviderCalls,
  type RegistrationFilters,
  type RegistrationSort,
  toTimestamp,
} from '@registrar/contracts';
import { Database, join, raw, sql } from '@registrar/persistence';
import { createMigratedDatabase } from '@registrar/persistence/testing';
import {
  generateMasterKey,
  postbackSecretPurpose,
  providerSecretPurpose,
  Sealing,
} from '@registrar/platform';
import { stubReply, startStubContext } from '@registrar/bus/testing';
import { SimulatedProvider, testLogger, testScope } from '@registrar/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { RecordRealmSwitch } from './registrations/record-realm-switch.ts';
import { type EnrolmentSettings, startEnrolment } from './index.ts';
import { enrolmentSchema } from './schema.ts';

/** The courses of every provider application, in the catalog and at the provider. */
const courses = ['swimming', 'diving'];

/** The realm of each provider application. */
const realms = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
]);

const courseIdOf = (applicationId: number, courseGuid: string) =>
  applicationId * 100 + courses.indexOf(courseGuid);

/** The scope of a realm pair of realm 1, or one limited to applications or to a user. */
export const scopeOf = (parts: { applicationIds?: number[]; email?: string } = {}): AccessScope =>
  testScope({
    applicationIds: parts.applicationIds ?? [1, 2],
    wholeRealm: !parts.applicationIds,
    user: parts.email ? { id: 1, email: email(parts.email) } : null,
  });

export const email = (address: string): EmailAddress => emailAddress.parse(address);

export type EnrolmentFixture = Awaited<ReturnType<typeof startEnrolmentFixture>>;

/**
 * Starts the enrolment app on its own database, with stubs of the other contexts and a simulated
 * course provider. The background jobs are stopped: suites run them themselves.
 *
 * @param addressOf the address by which the app reaches its database
 */
export async function startEnrolmentFixture(
  settings: Partial<EnrolmentSettings> = {},
  addressOf: (databaseUrl: string) => string = (databaseUrl) => databaseUrl,
) {
  const server = await createMigratedDatabase(enrolmentSchema);
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(path.join(tmpdir(), 'enrolment-'));
  const keyFile = path.join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const log = testLogger('enrolment');
  const { logger } = log;
  const transport = inProcessTransport();

  const accounts = new Map([...realms.keys()].map((id) => [id, provider.addAccount(`app-${id}`)]));
  const account = (applicationId: number) => {
    const found = accounts.get(applicationId);
    if (!found) throw new Failure('not-found', 'no such provider application');
    return found;
  };
  for (const each of accounts.values()) courses.forEach((course) => each.addCourse(course));

  const sealing = Sealing.fromKeyFile(keyFile);
  const users: string[] = [];
  const userOf = (address: EmailAddress) => {
    const known = address.toLowerCase();
    if (!users.includes(known)) users.push(known);
    return { userId: users.indexOf(known) + 1, email: address };
  };
  /** The crawler's reply; at first the crawler is unavailable. */
  const crawler = {
    crawl: async (
      _input: InputOf<typeof crawlRegistrations>,
    ): Promise<ReplyOf<typeof crawlRegistrations>> => {
      throw new Failure('unavailable', 'the crawler is unavailable');
    },
    takeCalls: async ({
      calls,
    }: InputOf<typeof takeProviderCalls>): Promise<ReplyOf<typeof takeProviderCalls>> => ({
      granted: calls,
      waitMs: 0,
    }),
    throttled: [] as InputOf<typeof reportThrottledCall>[],
  };
  /** The requests of enrolment for users and courses, and the courses that the catalog has. */
  const asked = { users: [] as EmailAddress[], courses: [] as string[] };
  const catalogCourses = new Set(courses);
  const on = { transport, logger };
  const stubs = await Promise.all([
    startStubContext(
      'identity',
      [
        stubReply(ensureUser, async ({ email }) => {
          asked.users.push(email);
          return userOf(email);
        }),
        stubReply(ensureUsers, async ({ emails }) => ({ users: emails.map(userOf) })),
        stubReply(findProviderCredentials, async ({ applicationId }) => {
          const { appId, secretKey } = account(applicationId);
          return {
            applicationId,
            realmId: realms.get(applicationId) ?? 0,
            baseUrl: provider.url,
            appId,
            sealedSecretKey: sealing.seal(secretKey, providerSecretPurpose(appId)),
            sealedPostbackSecret: sealing.seal(
              `postbacks of ${appId}`,
              postbackSecretPurpose(appId),
            ),
          };
        }),
      ],
      on,
    ),
    startStubContext(
      'catalog',
      [
        stubReply(findCourse, async ({ applicationIds, courseGuid }) => {
          asked.courses.push(courseGuid);
          const [applicationId, ...more] = applicationIds;
          if (!applicationId || more.length > 0 || !catalogCourses.has(courseGuid)) {
            throw new Failure('not-found', 'no such course');
          }
          const courseId = courseIdOf(applicationId, courseGuid);
          return { courseId, applicationId, courseGuid, title: courseGuid };
        }),
      ],
      on,
    ),
    startStubContext(
      'crawler',
      [
        stubReply(crawlRegistrations, (input) => crawler.crawl(input)),
        stubReply(takeProviderCalls, (input) => crawler.takeCalls(input)),
        stubReply(reportThrottledCall, async (input) => {
          crawler.throttled.push(input);
          return {};
        }),
      ],
      on,
    ),
  ]);
  const startReplica = async (): Promise<StartedApp> => {
    const replica = await startEnrolment(
      {
        DATABASE_URL: addressOf(server.url),
        MASTER_KEY_FILE: keyFile,
        LOG_LEVEL: 'debug',
        MANAGEMENT_PORT: 0,
        ...settings,
      },
      on,
    );
    await replica.get(PeriodicTasks).stop();
    return replica;
  };
  const app = await startReplica();
  const replicas = [app];
  const bus = app.get(BusClient);
  let realmVersion = 0;
  const database = app.get(Database);

  return {
    app,
    bus,
    database,
    provider,
    account,
    crawler,
    asked,
    catalogCourses,
    logLines: () => log.lines(),

    /** From now on, requests go to the replicas in turn. */
    async addReplica(): Promise<StartedApp> {
      const replica = await startReplica();
      replicas.push(replica);
      return replica;
    },

    /** Creates a registration in provider application 1 for the course `swimming`. */
    create: (
      learnerId: string,
      parts: Partial<InputOf<typeof createRegistration>> = {},
    ): Promise<ReplyOf<typeof createRegistration>> =>
      bus.request(createRegistration, {
        scope: scopeOf(),
        applicationId: 1,
        courseGuid: 'swimming',
        learnerId: email(learnerId),
        firstName: 'Ada',
        lastName: 'Lovelace',
        dontDuplicate: false,
        checkHosted: false,
        ...parts,
      }),

    /** Disables or enables realm 1. */
    async switchRealm(enabled: boolean, at = new Date()): Promise<void> {
      const { realmId } = scopeOf();
      const version = (realmVersion += 1);
      await app
        .get(RecordRealmSwitch)
        .record({ realmId, enabled, version, at: toTimestamp(at), appIds: [] });
    },

    /** Returns all pages of an index. */
    async index(
      filters: RegistrationFilters = {},
      parts: {
        scope?: AccessScope;
        lastOnly?: boolean;
        includeInactive?: boolean;
        includeDeleted?: boolean;
        sort?: RegistrationSort;
        pageSize?: number;
      } = {},
    ): Promise<ListedRegistrationRecord[]> {
      const { pageSize, ...options } = parts;
      const records: ListedRegistrationRecord[] = [];
      const defaults = { lastOnly: false, includeInactive: false, includeDeleted: true };
      const input = { scope: scopeOf(), filters, ...defaults, ...options };
      for await (const { items: page } of bus.pages(indexRegistrations, input, pageSize)) {
        records.push(...page);
      }
      return records;
    },

    /** Inserts a row into registrations: ready, unless `parts` say otherwise. */
    async insert(
      applicationId: number,
      courseGuid: string,
      learnerId: string,
      registrationGuid: string,
      parts: Record<string, unknown> = {},
    ): Promise<void> {
      const row = {
        realm_id: realms.get(applicationId) ?? 1,
        provider_application_id: applicationId,
        course_guid: courseGuid,
        learner_id: learnerId,
        registration_guid: registrationGuid,
        provider_state: 'ready',
        ...parts,
      };
      await database.execute(
        sql`INSERT INTO registrations (${raw(Object.keys(row).join(', '))})
            VALUES (${join(Object.values(row))})`,
      );
    },

    /** Returns the payloads of the published events of a name, in order; the outbox keeps them all. */
    async published(name: string): Promise<Record<string, unknown>[]> {
      const rows = await database.many(
        z.object({ payload: z.record(z.string(), z.unknown()) }),
        sql`SELECT payload FROM outbox WHERE name = ${name} ORDER BY id`,
      );
      return rows.map((row) => row.payload);
    },

    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all(stubs.map((stub) => stub.stop()));
      await provider.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
