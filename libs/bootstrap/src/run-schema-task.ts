import { Logger as NestLogger } from '@nestjs/common';
import { waitForMigrations, type ContextSchema, migrateSchema } from '@registrar/persistence';
import {
  createLogger,
  databaseSettings,
  type Logger,
  nestLogger,
  readSettings,
  SettingsError,
} from '@registrar/platform';
import { runTask } from './run-process.ts';

/** The tasks for a context's schema, by the argument of the process. */
const tasks: Readonly<Record<string, (task: SchemaTask) => Promise<void>>> = {
  migrate: async ({ schema, url, logger }) => {
    const migrations = await migrateSchema(schema, url);
    logger.info({ migrations }, `the schema is up to date`);
    process.send?.({ migrations } satisfies SchemaMigrated);
  },
  'await-schema': async ({ schema, url, logger }) => {
    await waitForMigrations(schema, url);
    logger.info('the schema has every migration of this version');
  },
};

interface SchemaTask {
  readonly schema: ContextSchema;
  readonly url: string;
  readonly logger: Logger;
}

/** The message of `migrate` to a parent with an IPC channel: the migrations that it applied. */
export interface SchemaMigrated {
  readonly migrations: readonly string[];
}

/** Runs a task for a schema. The only setting is `DATABASE_URL`. */
export async function runSchemaTask(
  task: string,
  app: string,
  schema: ContextSchema | undefined,
): Promise<void> {
  const logger = createLogger(app, 'info');
  NestLogger.overrideLogger(nestLogger(logger));
  await runTask(async () => {
    const run = tasks[task];
    if (!run)
      throw new SettingsError(
        `unknown task ${task}: the tasks are ${Object.keys(tasks).join(' and ')}`,
      );
    if (!schema) throw new SettingsError(`${app} has no schema`);
    const { DATABASE_URL: url } = readSettings(databaseSettings);
    await run({ schema, url, logger });
  }, logger);
}
