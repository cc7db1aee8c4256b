import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { busKeyFileSettings, type BusKeys, readBusKeys } from '@registrar/bus';
import { busKeySettings, readSettings } from '@registrar/platform';

/** The directory in `DATA_DIR` with the keys that `npm run start:distributed` makes. */
const busKeyDirectory = (dataDirectory: string): string => join(dataDirectory, 'bus-keys');

/**
 * Reads the keys of the command line: from its settings, or else from `DATA_DIR/bus-keys`.
 *
 * @throws {SettingsError} when they are missing or do not belong together
 */
export function operatorKeys(environment: NodeJS.ProcessEnv, dataDirectory: string): BusKeys {
  const kept = busKeyFileSettings(busKeyDirectory(dataDirectory), 'operator');
  const given = Object.keys(busKeySettings.shape).some(
    (name) => environment[name] || environment[`${name}_FILE`],
  );
  const usesKept = !given && existsSync(kept.BUS_PRIVATE_KEY_FILE);
  const settings = readSettings(busKeySettings, usesKept ? kept : environment);
  return readBusKeys('operator', settings);
}
