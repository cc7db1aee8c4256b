import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** The environment does not describe a runnable installation; the message names every fault. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads settings from environment variables, once, into a typed object. A variable that is set
 * to nothing counts as absent. A setting `NAME` that is absent may be in the file that `NAME_FILE`
 * names, so that secrets need not be in the environment.
 *
 * @throws {SettingsError} with one line per missing or malformed variable. Values are not
 * repeated: one of them may be a secret.
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

/** The settings that every app has (docs/operations.md lists them all). */
export const commonSettings = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Where the app tells its health and metrics; nowhere without it. */
  MANAGEMENT_PORT: portSetting.optional(),
});

/**
 * The management port of one of several apps on one machine, which take ports one after the other
 * from `first` on; none when that is not set.
 */
export const managementPortAt = (first: number | undefined, place: number): number | undefined =>
  first && first + place;

/** Where an app keeps its schema. */
export const databaseSettings = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
});

/** How a distributed app reaches the others. */
export const brokerSettings = z.object({
  AMQP_URL: z.url({ protocol: /^amqps?$/ }),
  /** Begins the name of every exchange and queue, so that installations can share a broker. */
  BUS_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('registrar'),
});

/** The key under which provider secrets are sealed: a file of 32 bytes in base64. */
export const sealingSettings = z.object({ MASTER_KEY_FILE: z.string() });
