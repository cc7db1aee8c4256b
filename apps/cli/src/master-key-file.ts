import { readSettings, sealingSettings } from '@registrar/platform';
import { join } from 'node:path';
import { installationSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

const optionalKeyFile = sealingSettings.partial();

/**
 * The file of the installation's master key: `MASTER_KEY_FILE`, or the one that `npm start` keeps in
 * `DATA_DIR`; null when neither is known.
 */
export function masterKeyFile({ environment }: Terminal): string | null {
  const settings = optionalKeyFile.extend(installationSettings.shape);
  const { MASTER_KEY_FILE: file, AMQP_URL, DATA_DIR } = readSettings(settings, environment);
  return file ?? (AMQP_URL ? null : join(DATA_DIR, 'master.key'));
}
