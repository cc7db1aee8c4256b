import { readdir } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ZipFile } from 'yazl';

/**
 * Names of the sample courses: `first-aid-basics` is SCORM 1.2 with one SCO and a scored quiz,
 * `fire-safety` is SCORM 2004 4th edition with two SCOs.
 */
export const sampleCourseNames = ['first-aid-basics', 'fire-safety'] as const;
export type SampleCourseName = (typeof sampleCourseNames)[number];

const courses = new URL('../courses/', import.meta.url);
const entryOptions = { mtime: new Date('2024-01-01T00:00:00Z'), mode: 0o100644 };

/**
 * Builds the package (zip) of a sample course: the course's own files and, below `shared/`, the
 * files of both courses. The same sources give the same bytes.
 */
export async function buildSamplePackage(name: SampleCourseName): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [folder, prefix] of [
    [`${name}/`, ''],
    ['shared/', 'shared/'],
  ] as const) {
    const root = new URL(folder, courses);
    for (const path of await filesUnder(root)) {
      zip.addFile(fileURLToPath(new URL(path, root)), prefix + path, entryOptions);
    }
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Builds a package of these files: their paths and texts. */
export async function buildPackage(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(text), path, entryOptions);
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
