import { Readable } from 'node:stream';
import { compressedVariants } from './compressed-variants.ts';
import type { ContentEncoding } from './content-encoding.ts';
import type { CoursePackage } from './open-package.ts';
import { refusal } from './package-error.ts';

/** Bytes per piece of a stored file. Files that were stored with another value become unreadable. */
export const pieceBytes = 512 * 1024;

/** A batch ends when it reaches one of these limits. */
const batchLimits = { files: 500, bytes: 2 * pieceBytes };

/** A file in one content coding. */
export interface FileVariant {
  readonly path: string;
  readonly encoding: ContentEncoding;
}

interface PackageFile extends FileVariant {
  /** Bytes in that coding. */
  readonly size: number;
}

interface PackagePiece extends FileVariant {
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
 * Unpacks the files of a package, and compresses those that gain by it.
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
  const variantsOf = compressedVariants(coursePackage);
  for (const [path, size] of coursePackage.sizes) {
    const variant = { path, encoding: 'identity' } as const;
    yield { ...variant, size };
    yield* piecesOf(variant, await coursePackage.stream(path));
    for await (const { encoding, bytes } of variantsOf(path, size)) {
      yield { path, encoding, size: bytes.length };
      yield* piecesOf({ path, encoding }, Readable.from([bytes]));
    }
  }
}

async function* piecesOf(variant: FileVariant, stream: Readable): AsyncGenerator<PackagePiece> {
  let index = 0;
  for await (const bytes of split(stream)) {
    yield { ...variant, index, bytes };
    index += 1;
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
    throw refusal('zip-unreadable', 'The package is a broken zip file.', undefined, {
      cause: error,
    });
  }
  if (length > 0) yield Buffer.concat(pending);
}
