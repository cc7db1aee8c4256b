import { Logger as NestLogger } from '@nestjs/common';
import { awaitSchema, type ContextSchema, migrateSchema } from '#libs/persistence';
import {
  createLogger,
  databaseSettings,
  type Logger,
  nestLogger,
  readSettings,
  runTask,
  SettingsError,
} from '#libs/platform';

/** What a process can do to a context's schema in place of serving it. */
const tasks: Readonly<Record<string, (task: SchemaTask) => Promise<void>>> = {
  migrate: async ({ schema, url, logger }) => {
    const migrations = await migrateSchema(schema, url);
    logger.info({ migrations }, `the schema is up to date`);
    process.send?.({ migrations } satisfies SchemaMigrated);
  },
  'await-schema': async ({ schema, url, logger }) => {
    await awaitSchema(schema, url);
    logger.info('the schema has every migration of this version');
  },
};

interface SchemaTask {
  readonly schema: ContextSchema;
  readonly url: string;
  readonly logger: Logger;
}

/** What `migrate` tells a parent that gave the process an IPC channel: the migrations it took. */
export interface SchemaMigrated {
  readonly migrations: readonly string[];
}

/** Does a task by its name. `DATABASE_URL` is all that it needs. */
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
      throw new SettingsError(`${task}: no task; there are ${Object.keys(tasks).join(' and ')}`);
    if (!schema) throw new SettingsError(`${app} has no schema`);
    const { DATABASE_URL: url } = readSettings(databaseSettings);
    await run({ schema, url, logger });
  }, logger);
}
