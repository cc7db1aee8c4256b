import {
  brokerSettings,
  type commonSettings,
  createLogger,
  type Logger,
  readSettings,
  runProcess,
} from '#libs/platform';
import type * as z from 'zod';
import { rabbitMqTransport } from './rabbitmq/rabbitmq-transport.ts';
import type { BusApp } from './start-app.ts';
import type { BusTransport } from './transport.ts';

/** The settings that every app has whose schema this is. */
type AppSettings = z.ZodObject<{ LOG_LEVEL: (typeof commonSettings)['shape']['LOG_LEVEL'] }>;

/**
 * Runs an app as a process of its own, on RabbitMQ: reads `settings`, and with them `AMQP_URL` and
 * `BUS_NAMESPACE`, from the environment, and stops the app in order when told to.
 */
export async function runDistributedApp<Settings extends AppSettings>(
  name: string,
  settings: Settings,
  start: (
    settings: z.output<Settings>,
    parts: { transport: BusTransport; logger: Logger },
  ) => Promise<BusApp>,
): Promise<void> {
  await runProcess(
    async () => {
      // Parsed as one object, so that one message names every fault.
      const all = readSettings(settings.extend(brokerSettings.shape));
      const { AMQP_URL: url, BUS_NAMESPACE: namespace, LOG_LEVEL } = all;
      const logger = createLogger(name, LOG_LEVEL);
      const transport = rabbitMqTransport({ url, namespace, logger });
      return start(all as z.output<Settings>, { transport, logger });
    },
    createLogger(name, 'info'),
  );
}
