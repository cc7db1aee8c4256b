import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { PackageError } from './package-error.ts';
import { harmlessBytes, type PackageLimits } from './package-limits.ts';
import { packagePath } from './package-path.ts';

/** A course package whose table of contents was read and found harmless. */
export interface CoursePackage {
  /** The bytes of every file, unpacked, by its path. */
  readonly sizes: ReadonlyMap<string, number>;
  /** A file as a stream; it fails if the file holds more or less than the contents say. */
  stream(path: string): Promise<Readable>;
  /** A whole file; null when the package does not hold it. */
  read(path: string, maximum: number): Promise<Buffer | null>;
  close(): void;
}

/**
 * Opens a zip file and checks all of its contents before anything is unpacked: paths, kinds of
 * files, number, sizes and compression.
 *
 * @throws {PackageError}
 */
export async function openPackage(file: string, limits: PackageLimits): Promise<CoursePackage> {
  const zip = await openZip(file);
  try {
    const entries = await readEntries(zip, limits);
    const stream = async (path: string) => {
      const entry = entries.get(path);
      if (!entry) throw new PackageError(`The package holds no file ${path}.`);
      return zip.openReadStreamPromise(entry).catch(broken);
    };
    return {
      sizes: new Map([...entries].map(([path, entry]) => [path, entry.uncompressedSize])),
      stream,
      read: async (path, maximum) => {
        const size = entries.get(path)?.uncompressedSize;
        if (size === undefined) return null;
        if (size > maximum) throw new PackageError(`The package's file ${path} is too large.`);
        return buffer(await stream(path)).catch(broken);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const openZip = (file: string): Promise<ZipFile> =>
  openPromise(file, {
    autoClose: false,
    decodeStrings: false,
    lazyEntries: true,
    validateEntrySizes: true,
  }).catch(() => {
    throw new PackageError('The package is not a zip file, or it is cut short.');
  });

async function readEntries(zip: ZipFile, limits: PackageLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.files) {
    throw new PackageError(`The package holds more than ${limits.files} files.`);
  }
  const entries = new Map<string, Entry>();
  let total = 0;
  let contentsBytes = 0;
  for await (const entry of eachEntry(zip)) {
    contentsBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (contentsBytes > limits.contentsBytes) {
      throw new PackageError('The table of contents of the package is too large.');
    }
    const name = nameOf(entry);
    const path = packagePath(name);
    if (name.endsWith('/') || kindOf(entry) === kinds.directory) continue;
    refuseUnsafe(entry, path, limits);
    if (entries.has(path)) throw new PackageError(`The package holds the file ${path} twice.`);
    total += entry.uncompressedSize;
    if (total > limits.totalBytes) {
      throw new PackageError(`The package unpacks to more than ${limits.totalBytes} bytes.`);
    }
    entries.set(path, entry);
  }
  if (total > harmlessBytes && total > zip.fileSize * limits.ratio) {
    throw new PackageError('The package unpacks to far more than it holds.');
  }
  return entries;
}

async function* eachEntry(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    broken(error);
  }
}

const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);

/** The kind of a file as Unix systems write it into zip files (Info-ZIP, extra attributes). */
const kindMask = 0o170000;
const kinds = { regular: 0o100000, directory: 0o040000 };
const kindOf = (entry: Entry) => (entry.externalFileAttributes >>> 16) & kindMask;

function refuseUnsafe(entry: Entry, path: string, limits: PackageLimits): void {
  if (path === '') throw new PackageError('The package holds a file with an unusable name.');
  const kind = kindOf(entry);
  if (kind !== 0 && kind !== kinds.regular) {
    throw new PackageError(`The package holds a link or special file: ${path}`);
  }
  if (entry.isEncrypted()) throw new PackageError('The package is protected by a password.');
  if (!entry.canDecodeFileData()) {
    throw new PackageError(`The package's file ${path} is compressed in an unknown way.`);
  }
  if (entry.uncompressedSize > limits.fileBytes) {
    throw new PackageError(`The package's file ${path} is larger than ${limits.fileBytes} bytes.`);
  }
  if (
    entry.uncompressedSize > harmlessBytes &&
    entry.uncompressedSize > entry.compressedSize * limits.ratio
  ) {
    throw new PackageError(`The package's file ${path} unpacks to far more than it holds.`);
  }
}

function broken(error: unknown): never {
  throw new PackageError('The package is a broken zip file.', { cause: error });
}
