import { fstatSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { Findings } from './findings.ts';
import { refusal } from './package-error.ts';
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
 * @throws {PackageError} with every entry that is not acceptable
 */
export async function openPackage(
  file: number,
  limits: PackageLimits,
  findings = new Findings(),
): Promise<CoursePackage> {
  const zip = await openZip(file);
  const entries = await readEntries(zip, limits, findings);
  findings.assertNoErrors();
  const stream = async (path: string) => {
    const entry = entries.get(path);
    if (!entry) throw new Error(`the package contains no file ${path}`);
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
      if (size > maximum) {
        throw refusal('package-too-large', `The package's file ${path} is too large.`, {
          file: path,
        });
      }
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
    throw refusal('zip-unreadable', whyNoZip(file));
  });

/** Other archives that are uploaded as packages, by their first bytes. */
const otherFormats: readonly (readonly [start: string, name: string])[] = [
  ['Rar!', 'a RAR archive'],
  ['7z\u00bc\u00af', 'a 7z archive'],
  ['\u001f\u008b', 'a gzip file'],
  ['%PDF', 'a PDF document'],
];

function whyNoZip(file: number): string {
  if (fstatSync(file).size === 0) return 'The package is not a zip file: it is empty.';
  const bytes = Buffer.alloc(8);
  readSync(file, bytes, 0, bytes.length, 0);
  const start = bytes.toString('latin1');
  const other = otherFormats.find(([prefix]) => start.startsWith(prefix));
  return other
    ? `The package is not a zip file, but ${other[1]}.`
    : 'The package is not a zip file, or it is truncated.';
}

async function readEntries(
  zip: ZipFile,
  limits: PackageLimits,
  findings: Findings,
): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.files) {
    throw refusal('package-too-large', `The package contains more than ${limits.files} files.`);
  }
  const entries = new Map<string, Entry>();
  let total = 0;
  let directoryBytes = 0;
  for await (const entry of eachEntry(zip)) {
    directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directoryBytes > limits.directoryBytes) {
      throw refusal('package-too-large', 'The central directory of the package is too large.');
    }
    let path: string;
    try {
      const name = nameOf(entry);
      path = packagePath(name);
      if (name.endsWith('/') || fileTypeOf(entry) === fileTypes.directory) continue;
      assertSafe(entry, path, limits);
      if (entries.has(path)) {
        throw refusal('zip-duplicate', `The package contains the file ${path} twice.`, {
          file: path,
        });
      }
    } catch (error) {
      findings.addRefusal(error);
      continue;
    }
    if (hasUnmarkedName(entry)) {
      findings.add(
        'zip-name-encoding',
        `The zip file does not say in which encoding it has the name of ${path}: links to it may fail.`,
        { file: path },
      );
    }
    total += entry.uncompressedSize;
    if (total > limits.totalBytes) {
      throw refusal(
        'package-too-large',
        `The package extracts to more than ${limits.totalBytes} bytes.`,
      );
    }
    // Up to 16,384 objects for each entry, which nothing reads any more.
    entry.extraFields.length = 0;
    entries.set(path, entry);
  }
  if (total > uncheckedRatioBytes && total > zip.fileSize * limits.ratio) {
    throw refusal('package-ratio', 'The compression ratio of the package is too high.');
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

/** The bit of an entry whose name is in UTF-8, and the extra field that repeats a name in UTF-8 (ZIP file format specification, 4.4.4 and 4.6.9). */
const utf8Flag = 0x800;
const unicodePathField = 0x7075;

/** A name outside of ASCII, without its encoding: it is read as code page 437. */
const hasUnmarkedName = (entry: Entry): boolean =>
  (entry.generalPurposeBitFlag & utf8Flag) === 0 &&
  entry.fileNameRaw.some((byte) => byte > 0x7f) &&
  !entry.extraFields.some(({ id }) => id === unicodePathField);

function assertSafe(entry: Entry, path: string, limits: PackageLimits): void {
  if (path === '') throw refusal('zip-path', 'The package contains a file with an invalid name.');
  const place = { file: path };
  const fileType = fileTypeOf(entry);
  if (fileType !== 0 && fileType !== fileTypes.regular) {
    const message = `The package contains a link or special file: ${path}`;
    throw refusal('zip-special-file', message, place);
  }
  // Without a place: one finding for all files.
  if (entry.isEncrypted())
    throw refusal('zip-encrypted', 'The package is protected by a password.');
  if (!entry.canDecodeFileData()) {
    const message = `The compression method of the file ${path} is not supported.`;
    throw refusal('zip-compression', message, place);
  }
  if (entry.uncompressedSize > limits.fileBytes) {
    const message = `The package's file ${path} is larger than ${limits.fileBytes} bytes.`;
    throw refusal('package-too-large', message, place);
  }
  if (
    entry.uncompressedSize > uncheckedRatioBytes &&
    entry.uncompressedSize > entry.compressedSize * limits.ratio
  ) {
    throw refusal('package-ratio', `The compression ratio of the file ${path} is too high.`, place);
  }
}

function broken(error: unknown): never {
  throw refusal('zip-unreadable', 'The package is a broken zip file.', undefined, { cause: error });
}
