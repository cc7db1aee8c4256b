import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busApps } from '@registrar/contracts';
import { generateBusKeys } from './bus-keys.ts';

const publicKeysFile = 'public-keys';

/**
 * Creates a key pair for each app, in a directory: `<app>.key` with the private key, which only its
 * owner can read, and `public-keys` with the public ones.
 *
 * @throws a system error with the code `EEXIST` when one of the files exists
 */
export async function writeBusKeyFiles(
  directory: string,
  apps: readonly string[] = busApps,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const keys = Object.entries(generateBusKeys(apps));
  const write = (name: string, text: string, mode: number) =>
    writeFile(join(directory, name), `${text}\n`, { mode, flag: 'wx' });
  await write(publicKeysFile, keys[0]?.[1].BUS_PUBLIC_KEYS ?? '', 0o644);
  for (const [app, { BUS_PRIVATE_KEY }] of keys) await write(`${app}.key`, BUS_PRIVATE_KEY, 0o600);
}

/** The settings of an app whose keys are in a directory ({@link writeBusKeyFiles}). */
export const busKeyFileSettings = (directory: string, app: string) => ({
  BUS_PRIVATE_KEY_FILE: join(directory, `${app}.key`),
  BUS_PUBLIC_KEYS_FILE: join(directory, publicKeysFile),
});
