import { permissionDefinitions } from '@registrar/bus';
import { type SchemaOwner, schemaOwners } from '@registrar/bootstrap';
import { type BusApp, busApps } from '@registrar/contracts';
import { roleStatements } from '@registrar/persistence';
import type { DedicatedBroker } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A user of the broker and a role of the database for each app, with the required privileges alone. */
export interface AppAccounts {
  /** The addresses of each app, such as `IDENTITY_AMQP_URL`; the shared ones name a user that does not exist. */
  readonly settings: Readonly<Record<string, string>>;
  readonly passwords: readonly string[];
  amqpUrl(user: BusApp): string;
  databaseUrl(role: SchemaOwner): string;
}

/**
 * Creates the accounts that `registrar grants` describes.
 *
 * @param prefix the beginning of the names of all users and roles
 */
export async function createAppAccounts(
  broker: DedicatedBroker,
  databaseUrl: string,
  { namespace, prefix = '' }: { namespace: string; prefix?: string },
): Promise<AppAccounts> {
  const passwords = new Map([...busApps, ...schemaOwners].map((name) => [name, randomPassword()]));
  const as = (address: string, name: BusApp | SchemaOwner | 'nobody'): string => {
    const url = new URL(address);
    url.username = `${prefix}${name}`;
    url.password = (name !== 'nobody' && passwords.get(name)) || 'none';
    return url.href;
  };
  const users = busApps.map((name) => ({
    name: `${prefix}${name}`,
    password: passwords.get(name),
    tags: '',
  }));
  const allowed = permissionDefinitions({ namespace, vhost: '/', prefix });
  const directory = await mkdtemp(join(tmpdir(), 'registrar-definitions-'));
  try {
    const definitions = join(directory, 'definitions.json');
    await writeFile(definitions, JSON.stringify({ users, ...allowed }), { mode: 0o600 });
    await broker.control('import_definitions', definitions);
  } finally {
    await rm(directory, { recursive: true });
  }
  // Twice, because the statements must be repeatable.
  await runStatements(databaseUrl, [
    roleStatements(prefix),
    roleStatements(prefix),
    ...schemaOwners.map(
      (role) => `ALTER ROLE "${prefix}${role}" PASSWORD '${passwords.get(role)}'`,
    ),
  ]);
  const amqpUrl = (user: BusApp) => as(broker.url, user);
  const roleUrl = (role: SchemaOwner) => as(databaseUrl, role);
  return {
    settings: {
      ...Object.fromEntries(
        schemaOwners.map((role) => [`${role.toUpperCase()}_DATABASE_URL`, roleUrl(role)]),
      ),
      ...Object.fromEntries(
        busApps.map((name) => [`${name.toUpperCase()}_AMQP_URL`, amqpUrl(name)]),
      ),
      DATABASE_URL: as(databaseUrl, 'nobody'),
      AMQP_URL: as(broker.url, 'nobody'),
    },
    passwords: [...passwords.values()],
    amqpUrl,
    databaseUrl: roleUrl,
  };
}

/** Removes the database's roles and what they own. */
export const dropAppRoles = (databaseUrl: string, prefix: string): Promise<void> =>
  runStatements(
    databaseUrl,
    schemaOwners.flatMap((role) => [
      `DROP OWNED BY "${prefix}${role}" CASCADE`,
      `DROP ROLE "${prefix}${role}"`,
    ]),
  );

const randomPassword = () => randomBytes(12).toString('hex');

async function runStatements(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
