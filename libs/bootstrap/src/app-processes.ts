import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The contexts, each of which has a schema. */
export const contexts = ['provider', 'identity', 'catalog', 'enrolment', 'crawler'] as const;
export type ContextName = (typeof contexts)[number];

/** The apps that have a schema. */
export const schemaOwners = [...contexts, 'console'] as const;
export type SchemaOwner = (typeof schemaOwners)[number];

/** The apps of every distributed installation. The console can be left out. */
export const apps = [...contexts, 'gateway'] as const;
export type AppName = (typeof apps)[number] | 'console';

/** The built program of an app, in this checkout or in this image. */
export const entryOf = (app: AppName | 'cli'): string =>
  fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));

/** The names of an app's migration files in this version, by timestamp, without those of the bus. */
export async function migrationFiles(context: SchemaOwner): Promise<string[]> {
  const folder = join(
    import.meta.dirname,
    '../../../apps',
    context,
    basename(import.meta.dirname),
    'migrations',
  );
  const names = (await readdir(folder)).map(
    (file) => /^(\d{13}-[\w-]+?)(\.migration)?\.[jt]s$/.exec(file)?.[1],
  );
  return names.filter((name) => name !== undefined).sort();
}

/** The settings that can be given to each app by its own name. */
const ownSettings = ['DATABASE_URL', 'AMQP_URL'] as const;

/**
 * The environment of one app's process, from an environment for all: `IDENTITY_DATABASE_URL` becomes
 * identity's `DATABASE_URL`.
 */
export function environmentOf(
  app: AppName | 'operator',
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const own = { ...environment };
  for (const name of ownSettings) {
    const given = [name, `${name}_FILE`].map((each) => [
      each,
      environment[`${app.toUpperCase()}_${each}`],
    ]);
    if (given.some(([, value]) => value)) Object.assign(own, Object.fromEntries(given));
  }
  return own;
}

/**
 * Runs a task on the schema of an app in a process of that app (run-schema-task.ts), and
 * returns what the process sends back.
 *
 * @throws with the reason that the process logged, when it fails
 */
export async function runContextTask<Result>(
  context: SchemaOwner,
  task: 'migrate',
  environment: NodeJS.ProcessEnv,
): Promise<Result> {
  const child = fork(entryOf(context), [task], {
    env: { ...process.env, ...environmentOf(context, environment) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let result: Result | undefined;
  child.once('message', (message: Result) => (result = message));
  const [log] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  if (child.exitCode === 0 && result !== undefined) return result;
  throw new Error(`${context}: ${failureReason(log)}`);
}

/** The reason in the last line of a process's log. */
function failureReason(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  try {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    return err?.message ?? msg.replace(/^cannot start: /, '');
  } catch {
    return line || 'its process ended without a word';
  }
}
