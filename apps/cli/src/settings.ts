import { brokerSettings, commonSettings } from '@registrar/platform';
import * as z from 'zod';

/** Where the operator's requests go: to a broker, or else to the process that uses `DATA_DIR`. */
export const installationSettings = brokerSettings.partial({ AMQP_URL: true }).extend({
  DATA_DIR: z.string().default('var'),
});

/** The addresses of the parts of an installation. */
export const operatorSettings = commonSettings.extend(installationSettings.shape).extend({
  /** The API as clients call it, with its root. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  API_ROOT: z.string().default('/api/v2'),
  /** Our own course provider, as the services call it. */
  PROVIDER_URL: z.url().optional(),
});
