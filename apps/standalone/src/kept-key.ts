import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateMasterKey } from '@registrar/platform';

/** Returns the path of a key in the data directory, which the first start makes. */
export async function keptKey(directory: string, name: string): Promise<string> {
  const file = join(directory, name);
  await mkdir(directory, { recursive: true });
  if (!existsSync(file)) await writeFile(file, generateMasterKey(), { mode: 0o600, flag: 'wx' });
  return file;
}
