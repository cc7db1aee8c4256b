import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

/**
 * The courses that come with the product: `first-aid-basics` is SCORM 1.2 with one SCO and a
 * scored quiz, `fire-safety` is SCORM 2004 4th edition with two SCOs.
 */
export const sampleNames = ['first-aid-basics', 'fire-safety'] as const;
export type SampleName = (typeof sampleNames)[number];

const courses = new URL('../courses/', import.meta.url);
const written = { mtime: new Date('2024-01-01T00:00:00Z'), mode: 0o100644 };

/** The package of a sample course: its own files and, under `shared/`, those that both use. */
export async function samplePackage(name: SampleName): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [folder, prefix] of [
    [`${name}/`, ''],
    ['shared/', 'shared/'],
  ] as const) {
    const root = new URL(folder, courses);
    for (const path of await filesUnder(root)) {
      zip.addFile(fileURLToPath(new URL(path, root)), prefix + path, written);
    }
  }
  zip.end();
  return buffer(zip.outputStream);
}

async function filesUnder(folder: URL): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const root = fileURLToPath(folder);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^[\\/]/, ''))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
