import { type BusApp, BusClient, inProcessTransport, type InputOf, type ReplyOf } from '#libs/bus';
import {
  type AccessScope,
  type ApiKeyRecord,
  createApiKey,
  createProviderApplication,
  createRealm,
  type Credentials,
  type EmailAddress,
  emailAddress,
  ensureUser,
  resolveAccess,
} from '#libs/contracts';
import { Database } from '#libs/persistence';
import { generateMasterKey, Sealing } from '#libs/platform';
import { createTestDatabase, testLogger } from '#libs/testing';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentity } from './index.ts';

export type TestRealm = ReplyOf<typeof createRealm>;

/** A provider application, and what its provider pair is. */
export interface TestApplication extends ReplyOf<typeof createProviderApplication> {
  readonly appId: string;
  readonly secretKey: string;
}

export const email = (address: string): EmailAddress => emailAddress.parse(address);

/** An e-mail address that no other test has. */
export const newEmail = (): EmailAddress => email(`Learner-${randomUUID()}@Example.com`);

export const realmPair = (realm: TestRealm): Credentials => ({
  mode: 'realm',
  guid: realm.realmGuid,
  secretKey: realm.realmSecretKey,
});

export const providerPair = ({ appId, secretKey }: TestApplication): Credentials => ({
  mode: 'provider',
  appId,
  secretKey,
});

export const apiKey = ({ access_token }: ApiKeyRecord): Credentials => ({
  mode: 'api_key',
  token: access_token,
});

export type IdentityFixture = Awaited<ReturnType<typeof startIdentityFixture>>;

/** Starts the identity app on a database of its own and an in-process bus. */
export async function startIdentityFixture(masterKeys = generateMasterKey()) {
  const server = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'identity-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, masterKeys);
  const log = testLogger('identity');

  /** A replica: the same database and master key, a bus of its own. */
  const startReplica = (): Promise<BusApp> =>
    startIdentity(
      {
        DATABASE_URL: server.url,
        MASTER_KEY_FILE: keyFile,
        API_KEY_USER_LIFETIME_HOURS: 24,
        API_KEY_LIFETIME_DAYS: 30,
        LOG_LEVEL: 'debug',
      },
      { transport: inProcessTransport(), logger: log.logger },
    );
  const replicas = await Promise.all([startReplica(), startReplica()]);
  const app = replicas[0];
  const bus = app.get(BusClient);
  const database = app.get(Database);

  const addApplication = async (
    realm: TestRealm,
    parts: Partial<InputOf<typeof createProviderApplication>> = {},
  ): Promise<TestApplication> => {
    const wanted = {
      realmGuid: realm.realmGuid,
      name: 'Swimming school',
      baseUrl: 'https://provider.example.com',
      appId: `app-${randomUUID()}`,
      secretKey: `secret-${randomUUID()}`,
      ...parts,
    };
    const made = await bus.request(createProviderApplication, wanted);
    return { ...made, appId: wanted.appId, secretKey: wanted.secretKey };
  };

  return {
    bus,
    /** The buses of two replicas that were started at the same moment. */
    buses: replicas.map((replica) => replica.get(BusClient)),
    database,
    sealing: Sealing.fromKeyFile(keyFile),
    logLines: () => log.lines(),
    addApplication,

    addRealm: (name = 'Demo'): Promise<TestRealm> => bus.request(createRealm, { name }),

    resolve: (credentials: Credentials): Promise<AccessScope> =>
      bus.request(resolveAccess, { credentials }),

    /** Makes an api key, by what a caller would present. */
    async createKey(
      credentials: Credentials,
      parts: { userEmail?: EmailAddress; applicationId?: number } = {},
    ): Promise<ApiKeyRecord> {
      const scope = await bus.request(resolveAccess, { credentials });
      const { userEmail = null, applicationId = null } = parts;
      return bus.request(createApiKey, { scope, userEmail, applicationId });
    },

    ensureUser: (realm: TestRealm, address: EmailAddress): Promise<ReplyOf<typeof ensureUser>> =>
      bus.request(ensureUser, { realmId: realm.realmId, email: address }),

    /** How often a change of access to the realm was published. Nobody takes events off the outbox here. */
    async accessChanges(realm: TestRealm): Promise<number> {
      const rows = await database.query(
        `SELECT FROM outbox
         WHERE name = 'identity.access-changed' AND payload = jsonb_build_object('realmId', $1::int)`,
        [realm.realmId],
      );
      return rows.length;
    },

    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
