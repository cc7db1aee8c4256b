import type { StartedApp } from '@registrar/bootstrap';
import { BusClient, inProcessTransport, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  apiKeyLimits,
  type ApiKeyRecord,
  type AuditAction,
  createApiKey,
  createProviderApplication,
  createRealm,
  type Credentials,
  type EmailAddress,
  emailAddress,
  ensureUser,
  resolveAccess,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { createMigratedDatabase } from '@registrar/persistence/testing';
import { generateMasterKey, Sealing } from '@registrar/platform';
import { testLogger } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import * as z from 'zod';
import { AuditLog } from './audit/audit-log.ts';
import { RecordActs } from './audit/record-acts.ts';
import { startIdentity } from './index.ts';
import { identitySchema } from './schema.ts';

export type TestRealm = ReplyOf<typeof createRealm>;

/** A provider application with its provider pair. */
export interface TestApplication extends ReplyOf<typeof createProviderApplication> {
  readonly appId: string;
  readonly secretKey: string;
}

export const email = (address: string): EmailAddress => emailAddress.parse(address);

/** A unique e-mail address. */
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

const auditRow = z.object({
  actor: z.string(),
  actor_id: z.number().nullable(),
  actor_name: z.string().nullable(),
  client_address: z.string().nullable(),
  request_id: z.string(),
  subject: z.record(z.string(), z.unknown()),
});

/** The entries of the audit log for one action in a realm, in order. */
export const auditEntries = (
  { database }: Pick<IdentityFixture, 'database'>,
  realmId: number,
  action: AuditAction,
): Promise<z.output<typeof auditRow>[]> =>
  database.many(
    auditRow,
    sql`SELECT actor, actor_id, actor_name, host(client_address) AS client_address, request_id, subject
        FROM audit_log WHERE realm_id = ${realmId} AND action = ${action} ORDER BY id`,
  );

export type IdentityFixture = Awaited<ReturnType<typeof startIdentityFixture>>;

/** Starts two replicas of identity on a new database, each with an in-process bus. */
export async function startIdentityFixture(masterKeys = generateMasterKey()) {
  const server = await createMigratedDatabase(identitySchema);
  const directory = await mkdtemp(join(tmpdir(), 'identity-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, masterKeys);
  const log = testLogger('identity');

  const startReplica = (): Promise<StartedApp> =>
    startIdentity(
      {
        DATABASE_URL: server.url,
        MASTER_KEY_FILE: keyFile,
        API_KEY_USER_LIFETIME_HOURS: 24,
        API_KEY_LIFETIME_DAYS: 30,
        AUDIT_RETENTION_DAYS: 400,
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
    const input = {
      realmGuid: realm.realmGuid,
      name: 'Swimming school',
      baseUrl: 'https://provider.example.com',
      appId: `app-${randomUUID()}`,
      secretKey: `secret-${randomUUID()}`,
      ...parts,
    };
    const created = await bus.request(createProviderApplication, input);
    return { ...created, appId: input.appId, secretKey: input.secretKey };
  };

  return {
    bus,
    /** The buses of two replicas that started at the same time. */
    buses: replicas.map((replica) => replica.get(BusClient)),
    database,
    audit: app.get(AuditLog),
    recordActs: app.get(RecordActs),
    sealing: Sealing.fromKeyFile(keyFile),
    logLines: () => log.lines(),
    addApplication,

    addRealm: (name = 'Demo'): Promise<TestRealm> => bus.request(createRealm, { name }),

    resolve: (credentials: Credentials): Promise<AccessScope> =>
      bus.request(resolveAccess, { credentials }),

    /** Creates an API key with the credentials of a caller. */
    async createKey(
      credentials: Credentials,
      parts: Partial<Omit<InputOf<typeof createApiKey>, 'scope'>> = {},
    ): Promise<ApiKeyRecord> {
      const scope = await bus.request(resolveAccess, { credentials });
      const limits = apiKeyLimits.parse({});
      const unlimited = { userEmail: null, applicationId: null, ...limits };
      return bus.request(createApiKey, { scope, ...unlimited, ...parts });
    },

    ensureUser: (realm: TestRealm, address: EmailAddress): Promise<ReplyOf<typeof ensureUser>> =>
      bus.request(ensureUser, { realmId: realm.realmId, email: address }),

    /** The memberships of a user, by the id that realms see. */
    memberships: (publicUserId: number) =>
      database.many(
        z.object({
          realmId: z.number(),
          realmRoleId: z.number(),
          custom: z.string().nullable(),
        }),
        sql`SELECT realm_id AS "realmId", realm_role_id AS "realmRoleId", custom FROM realm_users
            WHERE public_user_id = ${publicUserId} ORDER BY id`,
      ),

    /** How many users have an address in this spelling. */
    async countUsers(address: EmailAddress): Promise<number> {
      const { count } = await database.one(
        z.object({ count: z.number() }),
        sql`SELECT count(*) AS count FROM users WHERE email = ${address}`,
      );
      return count;
    },

    repository: <Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> =>
      database.dataSource.getRepository(entity),

    /** Counts the `access-changed` events of the realm. No relay removes events from this outbox. */
    async accessChanges(realm: TestRealm): Promise<number> {
      const { count } = await database.one(
        z.object({ count: z.number() }),
        sql`SELECT count(*) AS count FROM outbox
            WHERE name = 'identity.access-changed'
              AND payload = jsonb_build_object('realmId', ${realm.realmId}::bigint)`,
      );
      return count;
    },

    async stop(): Promise<void> {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await server.drop();
      await rm(directory, { recursive: true });
    },
  };
}
