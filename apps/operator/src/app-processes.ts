import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The apps that have a schema. */
export const contexts = ['provider', 'identity', 'catalog', 'enrolment', 'crawler'] as const;
export type ContextName = (typeof contexts)[number];

/** The apps of a distributed installation. */
export const apps = [...contexts, 'gateway'] as const;
export type AppName = (typeof apps)[number];

/** Where an app of this checkout, or of this image, begins. */
export const entryOf = (app: AppName | 'operator'): string =>
  fileURLToPath(new URL(`../../${app}/src/main.js`, import.meta.url));

/**
 * The migrations that a context has in this version besides those of the bus: the names of their
 * files, which begin with their timestamps.
 */
export async function migrationFiles(context: ContextName): Promise<string[]> {
  const folder = fileURLToPath(new URL(`../../${context}/src/migrations`, import.meta.url));
  const names = (await readdir(folder)).map((file) => /^(\d{13}-[\w-]+)\.[jt]s$/.exec(file)?.[1]);
  return names.filter((name) => name !== undefined).sort();
}

/** The settings that each app may have for itself. */
const ownSettings = ['DATABASE_URL', 'AMQP_URL'] as const;

/**
 * What an app's process gets of an environment that is for all of them: `IDENTITY_DATABASE_URL` is
 * identity's own `DATABASE_URL`.
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
 * Lets the process of a context do something to its schema (libs/bus, run-schema-task), and
 * answers what it tells.
 *
 * @throws with the reason of a process that failed
 */
export async function askContext<Answer>(
  context: ContextName,
  task: 'migrate',
  environment: NodeJS.ProcessEnv,
): Promise<Answer> {
  const child = fork(entryOf(context), [task], {
    env: { ...process.env, ...environmentOf(context, environment) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let answer: Answer | undefined;
  child.once('message', (message: Answer) => (answer = message));
  const [log] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  if (child.exitCode === 0 && answer !== undefined) return answer;
  throw new Error(`${context}: ${lastWords(log)}`);
}

/** Why a process ended, out of its log. */
function lastWords(log: string): string {
  const line = log.trim().split('\n').at(-1) ?? '';
  try {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    return err?.message ?? msg.replace(/^cannot start: /, '');
  } catch {
    return line || 'its process ended without a word';
  }
}
