import type { HttpLimits } from '@registrar/bootstrap';
import { type InputOf, inProcessTransport, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  type AccessScope,
  type accessScope,
  addLearners,
  appendPackagePiece,
  bringForward,
  checkPackage,
  type CourseProviderRecord,
  type courseRecord,
  createApiKey,
  createCourse,
  type createdRegistrationRecord,
  createInvitation,
  createRealmUser,
  createRegistration,
  createTemplate,
  deleteApiKey,
  discardUpload,
  type Credentials,
  Failure,
  findPostbackAccess,
  indexCourseProviders,
  indexCourses,
  indexInvitations,
  indexRealmUsers,
  indexRegistrations,
  indexTemplates,
  initializeQueries,
  type InvitationRecord,
  findLatestRegistrations,
  launchRegistration,
  type ListContract,
  type PackageFinding,
  readQueryResult,
  readVersions,
  type RealmUserRecord,
  recordExport,
  recrawlRegistrations,
  type registrationRecord,
  type RequestContract,
  resolveAccess,
  runQuery,
  type TemplateRecord,
  updateCourse,
  updateInvitation,
  updateRealmUser,
  updateRegistration,
  updateTemplate,
  type ListedRegistrationRecord,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { currentRequestContext } from '@registrar/platform';
import { stubReply, startStubContext, type TestBusApp } from '@registrar/bus/testing';
import { createTestDatabase, highRequestLimits, testLogger, testScope } from '@registrar/testing';
import type * as z from 'zod';
import { gatewaySettings, type RefusedRequest, startGateway } from './index.ts';

const at = '2026-02-03T04:05:06Z';

export const sampleCourse: z.output<typeof courseRecord> = {
  id: 3,
  course_guid: 'knots',
  course_provider_id: 1,
  title: 'Knots & ropes',
  size: 1000,
  versions: 1,
  registrations: 2,
  created_at: at,
  updated_at: at,
  custom: null,
  metadata: '{"title":"Knots"}',
  warnings: ['Prerequisites are not obeyed (rope).'],
};

export const sampleFinding: PackageFinding = {
  severity: 'error',
  file: 'imsmanifest.xml',
  line: 9,
  rule: 'launch-missing',
  message: 'The manifest launches gone.html, which the package does not contain.',
  remedy: 'Add the file to the package.',
};

export const sampleRegistration: z.output<typeof registrationRecord> = {
  id: 9,
  registration_guid: 'reg-9',
  course_guid: 'knots',
  learner_id: 'learner@example.com',
  attempts: 1,
  complete: 'complete',
  success: 'succeeded',
  score: 87.5,
  totaltime: 60,
  course_result: '<?xml version="1.0"?><rsp stat="ok"/>',
  full_result: null,
  crawl_type: 'course',
  crawl_status: 'success',
  crawl_error_msg: null,
  number_of_crawl_errors: 0,
  last_crawled_at: at,
  launched_at: null,
  provider_created_at: at,
  provider_completed_at: null,
  provider_accessed_at: null,
  provider_errcode: null,
  provider_error_message: null,
  deleted: null,
  custom: { color: 'blue' },
  hosted_app_id: 1,
  hosted_course_id: 3,
  created_at: at,
  updated_at: at,
};

/** The same registration in a list. */
export const listedRegistration: ListedRegistrationRecord = {
  ...sampleRegistration,
  active: true,
  synced_at: at,
};

const { hosted_app_id, hosted_course_id, ...rest } = sampleRegistration;
export const sampleCreated: z.output<typeof createdRegistrationRecord> = {
  ...rest,
  course_provider_id: hosted_app_id,
  course_id: hosted_course_id,
};

const sampleApiKey = {
  id: 1,
  token_type: null,
  created_at: at,
  updated_at: at,
  expires_at: null,
  user_id: null,
  course_provider_id: null,
  realm_id: 1,
};

const sampleTemplate: TemplateRecord = {
  id: 4,
  name: 'welcome',
  body: 'Hello <%= name %>',
  markup: 'erb',
  mimetype: 'text/html',
  realm_id: 1,
  created_at: at,
  updated_at: at,
};

const sampleRealmUser: RealmUserRecord = {
  id: 6,
  realm_id: 1,
  realm_role_id: 1,
  user_id: 5,
  custom: null,
  created_at: at,
  updated_at: at,
  email: 'user@example.com',
};

const sampleCourseProvider: CourseProviderRecord = {
  id: 1,
  name: 'Demo',
  sc_app_id: 'app-1',
  url: 'http://provider.example.com',
  realm_id: 1,
  created_at: at,
  updated_at: at,
};

export const sampleInvitation: InvitationRecord = {
  id: 8,
  name: 'spring',
  description: null,
  enabled: true,
  license: true,
  avoid_duplicate_registrations: false,
  no_updates_allowed: false,
  custom: '{"license_data":{"knots":{"seats_available":3}}}',
  course_guids: ['knots'],
  learners: ['learner@example.com'],
  registration_guids: ['reg-9'],
  realm_id: 1,
  invitation_template_id: null,
  created_at: at,
  updated_at: at,
};

export const sampleGuids = {
  'learner@example.com': { knots: { title: 'Knots & ropes', registration_guid: 'reg-9' } },
};

/** An access to realm 1, unless the parts say otherwise. */
export const scope = (parts: Partial<z.input<typeof accessScope>>): AccessScope =>
  testScope({ applicationIds: [1], wholeRealm: false, ...parts });

const page = <Item>(...items: Item[]) => ({ items, next: null });

export type GatewayFixture = Awaited<ReturnType<typeof startGatewayFixture>>;

/** Starts the gateway beside stubs of the contexts, whose replies a suite can replace. */
export async function startGatewayFixture(
  environment: Record<string, string> = {},
  limits: Partial<HttpLimits> = {},
) {
  const database = await createTestDatabase();
  const log = testLogger('gateway');
  const { logger } = log;
  const transport = inProcessTransport();
  const on = { transport, logger };

  /** The requests that the contexts have received, and replaceable replies. */
  const contexts = {
    received: [] as { contract: string; input: unknown }[],
    /** The address of the client of each lookup of access. */
    clientAddresses: [] as (string | undefined)[],
    scopes: new Map<string, AccessScope>([
      ['realm-1:realm-secret', scope({ mode: 'realm', applicationIds: [1, 2], wholeRealm: true })],
      ['app-1:app-secret', scope({ mode: 'provider' })],
      ['app-9:app-secret', scope({ mode: 'provider', applicationIds: [9], realmId: 2 })],
      ['key-of-realm', scope({ applicationIds: [1, 2], wholeRealm: true, apiKeyId: 11 })],
      ['key-of-application', scope({ apiKeyId: 12 })],
      ['key-of-user', scope({ user: { id: 5, email: 'user@example.com' }, apiKeyId: 13 })],
    ]),
    /** Called before a context replies, with the name of the request's contract. */
    receive: async (_contract: string): Promise<void> => undefined,
    /** Called before credentials are looked up. */
    lookUp: async (_key: string): Promise<void> => undefined,
    courses: async (_input: InputOf<typeof indexCourses>): Promise<ReplyOf<typeof indexCourses>> =>
      page(sampleCourse),
    registrations: async (_cursor: string | null): Promise<ReplyOf<typeof indexRegistrations>> =>
      page(listedRegistration),
    /** How old the rows of a stored query are. */
    resultAge: {} as Pick<ReplyOf<typeof runQuery>, 'ageSeconds'>,
    /** The version of the catalog's records; by default responses are not kept. */
    version: async (): Promise<string> => {
      throw new Failure('unavailable', 'the suite needs no versions');
    },
    create: async () => sampleCreated,
    createCourse: async () => sampleCourse,
    receivePiece: async () => ({}),
    record: async () => ({}),
    /** The hashes of the secrets of postbacks, by provider application. */
    postbackHashes: new Map<number, string>(),
  };
  const initialReplies = { ...contexts };
  /** A stub that records each request and replies with what `reply` returns. */
  const stub = <Contract extends RequestContract | ListContract>(
    contract: Contract,
    reply: (input: InputOf<Contract>) => ReplyOf<Contract> | Promise<ReplyOf<Contract>>,
  ) =>
    stubReply(contract, async (input) => {
      contexts.received.push({ contract: contract.name, input });
      await contexts.receive(contract.name);
      return reply(input);
    });
  const identity = await startStubContext(
    'identity',
    [
      stub(indexRealmUsers, () => page(sampleRealmUser)),
      stub(createRealmUser, () => sampleRealmUser),
      stub(updateRealmUser, () => sampleRealmUser),
      stub(indexCourseProviders, () => page(sampleCourseProvider)),
      stub(resolveAccess, async ({ credentials }) => {
        contexts.clientAddresses.push(currentRequestContext()?.clientAddress);
        await contexts.lookUp(keyOf(credentials));
        const found = contexts.scopes.get(keyOf(credentials));
        if (!found) throw new Failure('unauthenticated', 'the secret is wrong');
        return found;
      }),
      stub(findPostbackAccess, ({ applicationId }) => {
        const secretHash = contexts.postbackHashes.get(applicationId);
        if (secretHash === undefined) throw new Failure('not-found', 'no such application');
        return { secretHash };
      }),
      stub(recordExport, () => contexts.record()),
      stub(createApiKey, () => ({ ...sampleApiKey, access_token: 'rgk_token' })),
      stub(deleteApiKey, ({ scope: { apiKeyId } }) => {
        const isDeleted = ([, each]: [string, AccessScope]) => each.apiKeyId === apiKeyId;
        contexts.scopes = new Map([...contexts.scopes].filter((each) => !isDeleted(each)));
        return sampleApiKey;
      }),
    ],
    { ...on, databaseUrl: database.url },
  );
  const others: TestBusApp[] = [
    identity,
    await startStubContext(
      'catalog',
      [
        stub(indexTemplates, () => page(sampleTemplate)),
        stub(createTemplate, () => sampleTemplate),
        stub(updateTemplate, () => sampleTemplate),
        stub(updateCourse, () => sampleCourse),
        stub(indexCourses, (input) => contexts.courses(input)),
        stub(createCourse, () => contexts.createCourse()),
        stub(appendPackagePiece, () => contexts.receivePiece()),
        stub(discardUpload, () => ({})),
        stub(readVersions, async ({ applicationIds, realmIds }) => {
          const version = await contexts.version();
          return {
            courses: applicationIds.map(() => version),
            templates: realmIds.map(() => version),
          };
        }),
      ],
      on,
    ),
    await startStubContext('crawler', [stub(bringForward, () => ({}))], on),
    await startStubContext(
      'provider',
      [stub(checkPackage, () => ({ findings: [sampleFinding] }))],
      on,
    ),
    await startStubContext(
      'enrolment',
      [
        stub(findLatestRegistrations, () => ({
          registrations: [{ ...sampleRegistration, count: 1 }],
          next: null,
        })),
        stub(updateRegistration, () => sampleRegistration),
        stub(indexInvitations, () => page(sampleInvitation)),
        stub(createInvitation, () => sampleInvitation),
        stub(updateInvitation, () => sampleInvitation),
        stub(addLearners, () => ({
          record: sampleInvitation,
          registrationGuids: sampleGuids,
          messages: ['No seat is free in knots.'],
        })),
        stub(initializeQueries, () => ({
          queries: [{ name: 'seats', query_scope: 'bright' as const }],
        })),
        stub(runQuery, () => ({
          resultId: '3b2e8c1a-27a4-4c8b-9a55-6c2f6a1f0b11',
          columns: [
            { name: 'course', kind: 'text' as const },
            { name: 'average score', kind: 'float' as const },
          ],
          ...contexts.resultAge,
        })),
        stub(readQueryResult, () => page({ course: 'knots', 'average score': 87.5 })),
        stub(indexRegistrations, ({ cursor }) => contexts.registrations(cursor)),
        stub(createRegistration, () => contexts.create()),
        stub(recrawlRegistrations, () => ({ recrawled: 1 })),
        stub(launchRegistration, () => ({ launch_url: 'http://provider.example.com/launch' })),
      ],
      on,
    ),
  ];
  const settings = gatewaySettings.parse({ PORT: '0', ...highRequestLimits, ...environment });
  const refused: RefusedRequest[] = [];
  const onRefused = (request: RefusedRequest) => void refused.push(request);
  const startReplica = () => startGateway(settings, { ...on, onRefused, limits });
  const gateway = await startReplica();
  const base = `${gateway.url}${settings.API_ROOT}`;
  const get = (path: string, init: RequestInit = {}) => fetch(base + path, init);
  return {
    app: gateway,
    contexts,
    /** Starts another gateway on the same bus. */
    startReplica,
    lines: () => log.lines(),
    base,
    get,
    post: (
      path: string,
      body: NonNullable<RequestInit['body']>,
      headers: Record<string, string> = {},
    ) => get(path, { method: 'POST', body, headers }),
    /** The status of a response with an empty body; else the status and the body. */
    statusOf: async (path: string, init?: RequestInit) => {
      const response = await get(path, init);
      const body = await response.text();
      return body === '' ? response.status : { status: response.status, body };
    },
    /** The requests that the contexts have received by this contract, in order. */
    received: (contract: string) =>
      contexts.received.filter((each) => each.contract === contract).map((each) => each.input),
    /** The causes of error responses, from the log, which has those of events that are delivered again too. */
    reasons: () => log.lines().flatMap((line) => ('event' in line ? [] : (line['reason'] ?? []))),
    /** The requests that were answered with an error. */
    refused,
    /** Clears the received requests and restores the initial replies. */
    reset: () => void Object.assign(contexts, initialReplies, { received: [] }),
    /** Publishes that access in a realm has changed; the gateway handles it soon after. */
    changeAccess: async (realmId: number) => {
      const outbox = identity.get(Outbox);
      await identity.get(Database).transaction(() => outbox.publish(accessChanged, { realmId }));
    },
    stop: async () => {
      await gateway.stop();
      for (const other of others) await other.stop();
      await database.drop();
    },
  };
}

function keyOf(given: Credentials): string {
  switch (given.mode) {
    case 'api_key':
      return given.token;
    case 'realm':
      return `${given.guid}:${given.secretKey}`;
    case 'provider':
      return `${given.appId}:${given.secretKey}`;
  }
}
