import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { pieceBytes } from './read-file.ts';

interface Piece {
  readonly file: string;
  readonly index: number;
  readonly bytes: Buffer;
}

/** A statement takes pieces up to this number, and not many more bytes than these. */
const batch = { pieces: 500, bytes: 2 * pieceBytes };

/** Writes the files of a package into the database, where every replica finds them. */
@Injectable()
export class StorePackage {
  constructor(private readonly database: Database) {}

  /** To be called in the transaction that makes the course version. */
  async run(courseVersion: number, coursePackage: CoursePackage): Promise<void> {
    const files = await this.insertFiles(courseVersion, coursePackage.sizes);
    let pieces: Piece[] = [];
    let bytes = 0;
    for await (const piece of piecesOf(coursePackage, files)) {
      pieces.push(piece);
      bytes += piece.bytes.length;
      if (pieces.length < batch.pieces && bytes < batch.bytes) continue;
      await this.insertPieces(pieces);
      pieces = [];
      bytes = 0;
    }
    if (pieces.length > 0) await this.insertPieces(pieces);
  }

  /** @returns the files' ids, by their paths */
  private async insertFiles(
    courseVersion: number,
    sizes: ReadonlyMap<string, number>,
  ): Promise<Map<string, string>> {
    const rows = await this.database.query<{ id: string; path: string }>(
      `INSERT INTO package_files (course_version, path, size)
       SELECT $1, path, size FROM unnest($2::text[], $3::integer[]) AS file (path, size)
       RETURNING id, path`,
      [courseVersion, [...sizes.keys()], [...sizes.values()]],
    );
    return new Map(rows.map(({ id, path }) => [path, id]));
  }

  /** As single parameters the bytes travel as they are; in an array they would become text. */
  private async insertPieces(pieces: readonly Piece[]): Promise<void> {
    const rows = pieces.map((_, row) => `($${row * 3 + 1}, $${row * 3 + 2}, $${row * 3 + 3})`);
    await this.database.query(
      `INSERT INTO package_pieces (file, index, bytes) VALUES ${rows.join(', ')}`,
      pieces.flatMap(({ file, index, bytes }) => [file, index, bytes]),
    );
  }
}

async function* piecesOf(
  coursePackage: CoursePackage,
  files: ReadonlyMap<string, string>,
): AsyncGenerator<Piece> {
  for (const [path, file] of files) {
    let index = 0;
    for await (const bytes of cut(await coursePackage.stream(path))) {
      yield { file, index, bytes };
      index += 1;
    }
  }
}

/** The stream's bytes in pieces of one size, the last one shorter. */
async function* cut(stream: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      waiting.push(chunk);
      length += chunk.length;
      if (length < pieceBytes) continue;
      const all = Buffer.concat(waiting);
      let from = 0;
      for (; all.length - from >= pieceBytes; from += pieceBytes) {
        yield all.subarray(from, from + pieceBytes);
      }
      waiting = [all.subarray(from)];
      length = all.length - from;
    }
  } catch (error) {
    throw new PackageError('The package is a broken zip file.', { cause: error });
  }
  if (length > 0) yield Buffer.concat(waiting);
}
