import { brokerSettings, commonSettings, readSettings, sealingSettings } from '@registrar/platform';
import { join } from 'node:path';
import * as z from 'zod';
import type { Terminal } from './terminal.ts';

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

/**
 * The file of the installation's master key: `MASTER_KEY_FILE`, or the one that `npm start` keeps in
 * `DATA_DIR`; null when neither is known.
 */
export function masterKeyFile({ environment }: Terminal): string | null {
  const settings = sealingSettings.partial().extend(installationSettings.shape);
  const { MASTER_KEY_FILE: file, AMQP_URL, DATA_DIR } = readSettings(settings, environment);
  return file ?? (AMQP_URL ? null : join(DATA_DIR, 'master.key'));
}
