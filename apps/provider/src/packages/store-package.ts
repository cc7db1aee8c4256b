import { Database, join, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { pieceBytes } from './read-package-file.ts';

interface Piece {
  readonly file: number;
  readonly index: number;
  readonly bytes: Buffer;
}

/** A statement inserts pieces until it reaches one of these limits. */
const batch = { pieces: 500, bytes: 2 * pieceBytes };

const fileRow = z.object({ id: z.number(), path: z.string() });

/** Writes the files of a package to the database, where all replicas can read them. */
@Injectable()
export class StorePackage {
  constructor(private readonly database: Database) {}

  /** Must run in the transaction that creates the course version. */
  async store(courseVersion: number, coursePackage: CoursePackage): Promise<void> {
    const fileIds = await this.insertFiles(courseVersion, coursePackage.sizes);
    let pieces: Piece[] = [];
    let bytes = 0;
    for await (const piece of piecesOf(coursePackage, fileIds)) {
      pieces.push(piece);
      bytes += piece.bytes.length;
      if (pieces.length < batch.pieces && bytes < batch.bytes) continue;
      await this.insertPieces(pieces);
      pieces = [];
      bytes = 0;
    }
    if (pieces.length > 0) await this.insertPieces(pieces);
  }

  /** @returns the ids of the files, by their paths */
  private async insertFiles(
    courseVersion: number,
    sizes: ReadonlyMap<string, number>,
  ): Promise<Map<string, number>> {
    const rows = await this.database.many(
      fileRow,
      sql`INSERT INTO package_files (course_version, path, size)
          SELECT ${courseVersion}, path, size
          FROM unnest(${[...sizes.keys()]}::text[], ${[...sizes.values()]}::integer[])
            AS file (path, size)
          RETURNING id, path`,
    );
    return new Map(rows.map(({ id, path }) => [path, id]));
  }

  /** A parameter per value: a single parameter is sent as bytes, an array of them as text. */
  private async insertPieces(pieces: readonly Piece[]): Promise<void> {
    const rows = pieces.map(({ file, index, bytes }) => sql`(${file}, ${index}, ${bytes})`);
    await this.database.execute(
      sql`INSERT INTO package_pieces (file, index, bytes) VALUES ${join(rows, ', ')}`,
    );
  }
}

async function* piecesOf(
  coursePackage: CoursePackage,
  fileIds: ReadonlyMap<string, number>,
): AsyncGenerator<Piece> {
  for (const [path, file] of fileIds) {
    let index = 0;
    for await (const bytes of split(await coursePackage.stream(path))) {
      yield { file, index, bytes };
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
