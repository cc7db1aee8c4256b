import type { Readable } from 'node:stream';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';

/** Bytes per piece of a stored file. Files that were stored with another value become unreadable. */
export const pieceBytes = 512 * 1024;

/** A batch ends when it reaches one of these limits. */
const batchLimits = { files: 500, bytes: 2 * pieceBytes };

interface PackageFile {
  readonly path: string;
  readonly size: number;
}

interface PackagePiece {
  readonly path: string;
  readonly index: number;
  readonly bytes: Buffer;
}

/** A part of a package, which few statements store. */
export interface PackageBatch {
  /** The files that begin in this batch. */
  readonly files: PackageFile[];
  /** Of files of this batch and of the last one before it. */
  readonly pieces: PackagePiece[];
}

/**
 * Unpacks the files of a package.
 *
 * @throws {PackageError} if a file cannot be unpacked
 */
export async function* batchesOf(coursePackage: CoursePackage): AsyncGenerator<PackageBatch> {
  let batch: PackageBatch = { files: [], pieces: [] };
  let bytes = 0;
  for await (const part of partsOf(coursePackage)) {
    if (bytes >= batchLimits.bytes || batch.files.length >= batchLimits.files) {
      yield batch;
      batch = { files: [], pieces: [] };
      bytes = 0;
    }
    if ('size' in part) batch.files.push(part);
    else {
      batch.pieces.push(part);
      bytes += part.bytes.length;
    }
  }
  yield batch;
}

/** The files of a package, each followed by its pieces. */
async function* partsOf(coursePackage: CoursePackage): AsyncGenerator<PackageFile | PackagePiece> {
  for (const [path, size] of coursePackage.sizes) {
    yield { path, size };
    let index = 0;
    for await (const bytes of split(await coursePackage.stream(path))) {
      yield { path, index, bytes };
      index += 1;
    }
  }
}

/** Splits a stream into pieces of {@link pieceBytes}; the last one may be shorter. */
async function* split(stream: Readable): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pending.push(chunk);
      length += chunk.length;
      if (length < pieceBytes) continue;
      const all = Buffer.concat(pending);
      let start = 0;
      for (; all.length - start >= pieceBytes; start += pieceBytes) {
        yield all.subarray(start, start + pieceBytes);
      }
      pending = [all.subarray(start)];
      length = all.length - start;
    }
  } catch (error) {
    throw new PackageError('The package is a broken zip file.', { cause: error });
  }
  if (length > 0) yield Buffer.concat(pending);
}
