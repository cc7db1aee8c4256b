import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** The environment has missing or malformed settings; the message names all of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads settings from environment variables into a typed object. An empty variable counts as absent.
 * If `NAME` is absent, the setting is read from the file that `NAME_FILE` names, so that secrets need
 * not be in the environment.
 *
 * @throws {SettingsError} with one line per missing or malformed variable, without its value, which
 * may be a secret
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [
      name,
      environment[name] || contentOf(`${name}_FILE`, environment),
    ]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `  ${name} ${given[name] === undefined ? 'is not set' : `is malformed: ${issue.message}`}`;
  });
  throw new SettingsError(`These settings need attention:\n${faults.join('\n')}`);
}

function contentOf(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const path = environment[variable];
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`${variable}: ${(error as Error).message}`);
  }
}

/** A TCP port as a setting; 0 lets the system choose. */
export const portSetting = z.coerce.number().int().min(0).max(65_535);

/** A positive whole number of `unit` as a setting. */
export const countSetting = z.coerce.number().int().min(1);

/** The settings of every app (docs/operations.md lists all settings). */
export const commonSettings = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** The port of health and metrics; without it, they are not served. */
  MANAGEMENT_PORT: portSetting.optional(),
});

/**
 * Returns the management port of one of several apps on a machine, which use consecutive ports from
 * `first` on; undefined without `first`.
 */
export const managementPortAt = (first: number | undefined, place: number): number | undefined =>
  first && first + place;

/**
 * Of libpq's modes, the two that mean the same to every client: node-postgres takes `prefer`, `require`
 * and `verify-ca` for `verify-full`, and its next version will verify nothing with them.
 */
const encryption = ['disable', 'verify-full'];

/** Returns what is ambiguous in the TLS parameters of a database's URL; null if nothing is. */
function ambiguousEncryption({ searchParams }: URL): string | null {
  const mode = searchParams.get('sslmode');
  if (mode !== null && !encryption.includes(mode)) return 'sslmode is verify-full or disable';
  const isVerified = mode === 'verify-full';
  if (searchParams.has('sslrootcert') && !isVerified)
    return 'sslrootcert needs sslmode=verify-full';
  if (searchParams.has('ssl') || searchParams.has('uselibpqcompat')) {
    return 'sslmode says whether the connection is encrypted, not ssl or uselibpqcompat';
  }
  return null;
}

/** Returns a check that refuses a valid URL with the reason that `reasonOf` gives. */
const refuseUrl =
  (reasonOf: (url: URL) => string | null) => (value: string, context: z.RefinementCtx) => {
    const url = URL.parse(value);
    const message = url && reasonOf(url);
    if (message) context.addIssue({ code: 'custom', message });
  };

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/ })
  .superRefine(refuseUrl(ambiguousEncryption));

/** The database of a context. */
export const databaseSettings = z.object({ DATABASE_URL: databaseUrl });

/** A standby of the database, from which reports are read (docs/operations.md#reports-from-a-standby). */
export const reportsDatabaseSettings = z.object({ REPORTS_DATABASE_URL: databaseUrl.optional() });

/** RabbitMQ's parameters of a URL that mean TLS, so that plain AMQP cannot be taken for it. */
const tlsParameters = ['cacertfile', 'server_name_indication'];

/** Returns what contradicts itself in the TLS parameters of a broker's URL; null if nothing does. */
function contradictoryEncryption({ protocol, searchParams }: URL): string | null {
  const given = tlsParameters.find((name) => searchParams.has(name));
  if (protocol === 'amqp:' && given) return `${given} needs amqps`;
  return searchParams.has('verify')
    ? 'amqps always verifies the broker: verify cannot be set'
    : null;
}

const refusePostbackBase = refuseUrl(({ username, password, search, hash }) =>
  username || password || search || hash ? 'it has no user, query and fragment' : null,
);

/** Where course providers reach the gateway with postbacks (docs/crawling.md). */
export const postbackSettings = z.object({
  POSTBACK_URL: z
    .url({ protocol: /^https?$/ })
    .superRefine(refusePostbackBase)
    .optional(),
});

/** The broker of a distributed app. */
export const brokerSettings = z.object({
  AMQP_URL: z.url({ protocol: /^amqps?$/ }).superRefine(refuseUrl(contradictoryEncryption)),
  /** The prefix of all exchange and queue names, so that installations can share a broker. */
  BUS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('registrar'),
  /** Whether each app has an account at the broker, by which receivers know who sent a message. */
  BUS_ACCOUNTS: z.enum(['per-app', 'shared']).default('per-app'),
});

/** The master key under which provider secrets are sealed: a file with 32 bytes in base64 per line. */
export const sealingSettings = z.object({ MASTER_KEY_FILE: z.string() });
