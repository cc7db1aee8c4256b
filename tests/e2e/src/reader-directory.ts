import { mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** Creates a directory that looks like a reader's checkout without data: without `var`. */
export async function createReaderDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-reader-'));
  const entries = (await readdir(checkout)).filter((name) => name !== 'var');
  await Promise.all(entries.map((name) => symlink(join(checkout, name), join(directory, name))));
  return directory;
}
