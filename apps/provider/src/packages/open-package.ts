import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { PackageError } from './package-error.ts';
import { type PackageLimits, uncheckedRatioBytes } from './package-limits.ts';
import { packagePath } from './package-path.ts';

/** A course package whose central directory has been checked. */
export interface CoursePackage {
  /** Uncompressed bytes of each file, by path. */
  readonly sizes: ReadonlyMap<string, number>;
  /**
   * Returns the path of a file whose path is given in any case: the exact one if there is one,
   * because many packages are made where case does not matter. Undefined if there is none.
   */
  find(path: string): string | undefined;
  /** A file as a stream, which fails unless the file has the size that the directory declares. */
  stream(path: string): Promise<Readable>;
  /** A whole file; null if the package does not contain it. */
  read(path: string, maximum: number): Promise<Buffer | null>;
}

/**
 * Opens a zip file and checks its central directory before anything is extracted: paths, file
 * types, number of files, sizes and compression ratios.
 *
 * @param file the descriptor of the zip file, which stays open
 * @throws {PackageError}
 */
export async function openPackage(file: number, limits: PackageLimits): Promise<CoursePackage> {
  const zip = await openZip(file);
  const entries = await readEntries(zip, limits);
  const stream = async (path: string) => {
    const entry = entries.get(path);
    if (!entry) throw new PackageError(`The package contains no file ${path}.`);
    return zip.openReadStreamPromise(entry).catch(broken);
  };
  const inAnyCase = new Map([...entries.keys()].map((path) => [path.toLowerCase(), path]));
  return {
    find: (path) => (entries.has(path) ? path : inAnyCase.get(path.toLowerCase())),
    sizes: new Map([...entries].map(([path, entry]) => [path, entry.uncompressedSize])),
    stream,
    read: async (path, maximum) => {
      const size = entries.get(path)?.uncompressedSize;
      if (size === undefined) return null;
      if (size > maximum) throw new PackageError(`The package's file ${path} is too large.`);
      return buffer(await stream(path)).catch(broken);
    },
  };
}

const openZip = (file: number): Promise<ZipFile> =>
  fromFdPromise(file, {
    autoClose: false,
    decodeStrings: false,
    lazyEntries: true,
    validateEntrySizes: true,
  }).catch(() => {
    throw new PackageError('The package is not a zip file, or it is truncated.');
  });

async function readEntries(zip: ZipFile, limits: PackageLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.files) {
    throw new PackageError(`The package contains more than ${limits.files} files.`);
  }
  const entries = new Map<string, Entry>();
  let total = 0;
  let directoryBytes = 0;
  for await (const entry of eachEntry(zip)) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directoryBytes > limits.directoryBytes) {
      throw new PackageError('The central directory of the package is too large.');
    }
    const name = nameOf(entry);
    const path = packagePath(name);
    if (name.endsWith('/') || fileTypeOf(entry) === fileTypes.directory) continue;
    assertSafe(entry, path, limits);
    if (entries.has(path)) throw new PackageError(`The package contains the file ${path} twice.`);
    total += entry.uncompressedSize;
    if (total > limits.totalBytes) {
      throw new PackageError(`The package extracts to more than ${limits.totalBytes} bytes.`);
    }
    // Up to 16,384 objects for each entry, which nothing reads any more.
    entry.extraFields.length = 0;
    entries.set(path, entry);
  }
  if (total > uncheckedRatioBytes && total > zip.fileSize * limits.ratio) {
    throw new PackageError('The compression ratio of the package is too high.');
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

/** Unix file types, which zip tools store in the upper half of the external attributes (Info-ZIP). */
const fileTypeMask = 0o170000;
const fileTypes = { regular: 0o100000, directory: 0o040000 };
const fileTypeOf = (entry: Entry) => (entry.externalFileAttributes >>> 16) & fileTypeMask;

function assertSafe(entry: Entry, path: string, limits: PackageLimits): void {
  if (path === '') throw new PackageError('The package contains a file with an invalid name.');
  const fileType = fileTypeOf(entry);
  if (fileType !== 0 && fileType !== fileTypes.regular) {
    throw new PackageError(`The package contains a link or special file: ${path}`);
  }
  if (entry.isEncrypted()) throw new PackageError('The package is protected by a password.');
  if (!entry.canDecodeFileData()) {
    throw new PackageError(`The compression method of the file ${path} is not supported.`);
  }
  if (entry.uncompressedSize > limits.fileBytes) {
    throw new PackageError(`The package's file ${path} is larger than ${limits.fileBytes} bytes.`);
  }
  if (
    entry.uncompressedSize > uncheckedRatioBytes &&
    entry.uncompressedSize > entry.compressedSize * limits.ratio
  ) {
    throw new PackageError(`The compression ratio of the file ${path} is too high.`);
  }
}

function broken(error: unknown): never {
  throw new PackageError('The package is a broken zip file.', { cause: error });
}
