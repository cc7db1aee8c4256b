import type { ContextSchema } from '#libs/persistence';
import {
  brokerSettings,
  type commonSettings,
  createLogger,
  type Logger,
  readSettings,
  runProcess,
  startTracing,
} from '#libs/platform';
import type * as z from 'zod';
import { rabbitMqTransport } from './rabbitmq/rabbitmq-transport.ts';
import { runSchemaTask } from './run-schema-task.ts';
import type { BusApp } from './start-app.ts';
import type { BusTransport } from './transport.ts';

/** The settings that every app has whose schema this is. */
type AppSettings = z.ZodObject<{ LOG_LEVEL: (typeof commonSettings)['shape']['LOG_LEVEL'] }>;

/**
 * Runs an app as a process of its own, on RabbitMQ: reads `settings`, and with them `AMQP_URL` and
 * `BUS_NAMESPACE`, from the environment, and stops the app in order when told to. With an argument
 * the process does something to the app's `schema` instead (run-schema-task.ts).
 */
export async function runDistributedApp<Settings extends AppSettings>(
  name: string,
  settings: Settings,
  start: (
    settings: z.output<Settings>,
    parts: { transport: BusTransport; logger: Logger },
  ) => Promise<BusApp>,
  schema?: ContextSchema,
): Promise<void> {
  const [task] = process.argv.slice(2);
  if (task !== undefined) return runSchemaTask(task, name, schema);
  await runProcess(
    async () => {
      // Parsed as one object, so that one message names every fault.
      const all = readSettings(settings.extend(brokerSettings.shape));
      const { AMQP_URL: url, BUS_NAMESPACE: namespace, LOG_LEVEL } = all;
      const logger = createLogger(name, LOG_LEVEL);
      const transport = rabbitMqTransport({ url, namespace, logger });
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
