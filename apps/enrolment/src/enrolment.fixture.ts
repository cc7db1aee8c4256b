import { type BusApp, BusClient, inProcessTransport, type InputOf, type ReplyOf } from '#libs/bus';
import {
  type AccessScope,
  accessScope,
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
  providerCredentials,
  type RegistrationFilters,
} from '#libs/contracts';
import { Database } from '#libs/persistence';
import { generateMasterKey, providerSecretPurpose, Sealing } from '#libs/platform';
import {
  answer,
  createTestDatabase,
  SimulatedProvider,
  startStandIn,
  testLogger,
} from '#libs/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Background } from './background.ts';
import { startEnrolment } from './index.ts';

/** The courses that every provider application has, in the catalog and at the provider. */
const courses = ['swimming', 'diving'];

/** The realm of each provider application. */
const realms = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
]);

const courseIdOf = (applicationId: number, courseGuid: string) =>
  applicationId * 100 + courses.indexOf(courseGuid);

/** The scope of a realm pair of realm 1, or a part of it. */
export const scopeOf = (parts: { applicationIds?: number[]; email?: string } = {}): AccessScope =>
  accessScope.parse({
    realmId: 1,
    applicationIds: parts.applicationIds ?? [1, 2],
    wholeRealm: !parts.applicationIds,
    user: parts.email ? { id: 1, email: parts.email } : null,
    expiresAt: null,
  });

export const email = (address: string): EmailAddress => emailAddress.parse(address);

export type EnrolmentFixture = Awaited<ReturnType<typeof startEnrolmentFixture>>;

/**
 * Starts the enrolment app on a database of its own, among stand-ins of the other contexts and a
 * simulated course provider. Its background work is at rest: suites run the pieces themselves.
 */
export async function startEnrolmentFixture() {
  const server = await createTestDatabase();
  const provider = await SimulatedProvider.start();
  const directory = await mkdtemp(join(tmpdir(), 'enrolment-'));
  const keyFile = join(directory, 'master.key');
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
  /** What the crawler answers; at first it is away. */
  const crawler = {
    crawl: async (
      _input: InputOf<typeof crawlRegistrations>,
    ): Promise<ReplyOf<typeof crawlRegistrations>> => {
      throw new Failure('unavailable', 'the crawler is away');
    },
  };
  const on = { transport, logger };
  const others = await Promise.all([
    startStandIn(
      'identity',
      [
        answer(ensureUser, async ({ email }) => userOf(email)),
        answer(ensureUsers, async ({ emails }) => ({ users: emails.map(userOf) })),
        answer(providerCredentials, async ({ applicationId }) => {
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
      on,
    ),
    startStandIn(
      'catalog',
      [
        answer(findCourse, async ({ applicationIds, courseGuid }) => {
          const [applicationId, ...more] = applicationIds;
          if (!applicationId || more.length > 0 || !courses.includes(courseGuid)) {
            throw new Failure('not-found', 'no such course');
          }
          const courseId = courseIdOf(applicationId, courseGuid);
          return { courseId, applicationId, courseGuid, title: courseGuid };
        }),
      ],
      on,
    ),
    startStandIn('crawler', [answer(crawlRegistrations, (input) => crawler.crawl(input))], on),
  ]);
  const startReplica = async (): Promise<BusApp> => {
    const replica = await startEnrolment(
      {
        DATABASE_URL: server.url,
        MASTER_KEY_FILE: keyFile,
        LAUNCH_LINK_EXPIRY_SECONDS: 90,
        LOG_LEVEL: 'debug',
        MANAGEMENT_PORT: 0,
      },
      on,
    );
    await replica.get(Background).beforeApplicationShutdown();
    return replica;
  };
  const app = await startReplica();
  const replicas = [app];
  const bus = app.get(BusClient);
  const database = app.get(Database);

  return {
    app,
    bus,
    database,
    provider,
    account,
    crawler,
    lines: () => log.lines(),

    /** Requests go to the replicas in turn from now on. */
    async addReplica(): Promise<BusApp> {
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

    /** The whole answer of an index. */
    async index(
      filters: RegistrationFilters = {},
      parts: {
        scope?: AccessScope;
        lastOnly?: boolean;
        includeInactive?: boolean;
        pageSize?: number;
      } = {},
    ): Promise<ListedRegistrationRecord[]> {
      const { scope = scopeOf(), lastOnly = false, includeInactive = false, pageSize } = parts;
      const records: ListedRegistrationRecord[] = [];
      const input = { scope, filters, lastOnly, includeInactive };
      for await (const page of bus.pages(indexRegistrations, input, pageSize)) {
        records.push(...page);
      }
      return records;
    },

    /** Puts a registration straight into the table: ready, in realm 1, unless `parts` say else. */
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
      const places = Object.keys(row).map((_, index) => `$${index + 1}`);
      await database.query(
        `INSERT INTO registrations (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
        Object.values(row),
      );
    },

    /** The payloads of what was published, in order. Nobody takes events off the outbox here. */
    async published(name: string): Promise<Record<string, unknown>[]> {
      const rows = await database.query<{ payload: Record<string, unknown> }>(
        'SELECT payload FROM outbox WHERE name = $1 ORDER BY id',
        [name],
      );
      return rows.map((row) => row.payload);
    },

    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all(others.map((other) => other.stop()));
      await provider.stop();
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
