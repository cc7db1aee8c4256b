import type { ContextSchema } from '@registrar/persistence';
import {
  brokerSettings,
  type commonSettings,
  createLogger,
  type Logger,
  readSettings,
  startTracing,
} from '@registrar/platform';
import type * as z from 'zod';
import { type BusTransport, rabbitMqTransport } from '@registrar/bus';
import { runProcess } from './run-process.ts';
import { runSchemaTask } from './run-schema-task.ts';
import type { StartedApp } from './start-app.ts';

/** A settings schema that includes those of every app. */
type AppSettings = z.ZodObject<{ LOG_LEVEL: (typeof commonSettings)['shape']['LOG_LEVEL'] }>;

/**
 * Runs an app as a process of its own, on RabbitMQ ({@link runProcess}): reads `settings`, `AMQP_URL`,
 * `BUS_NAMESPACE` and `BUS_ACCOUNTS` from the environment. With the argument `migrate` or `await-schema` the process
 * migrates the app's `schema`, or waits for that, instead (run-schema-task.ts).
 */
export async function runDistributedApp<Settings extends AppSettings>(
  name: string,
  settings: Settings,
  start: (
    settings: z.output<Settings>,
    parts: { transport: BusTransport; logger: Logger },
  ) => Promise<StartedApp>,
  schema?: ContextSchema,
): Promise<void> {
  const [task] = process.argv.slice(2);
  if (task !== undefined) return runSchemaTask(task, name, schema);
  await runProcess(
    async () => {
      // Parsed as one object, so that one message names every fault.
      const all = readSettings(settings.extend(brokerSettings.shape));
      const { AMQP_URL: url, BUS_NAMESPACE: namespace, BUS_ACCOUNTS: accounts, LOG_LEVEL } = all;
      const logger = createLogger(name, LOG_LEVEL);
      const transport = rabbitMqTransport({ url, namespace, logger, accounts });
      const endTracing = await startTracing(name, logger);
      const app = await start(all as z.output<Settings>, { transport, logger });
      return {
        ...app,
        stop: async () => {
          await app.stop();
          await endTracing();
        },
      };
    },
    createLogger(name, 'info'),
  );
}
