import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { CoursePackage } from './open-package.ts';
import { PackageError } from './package-error.ts';
import { pieceBytes } from './read-file.ts';

/** Writes the files of a package into the database, where every replica finds them. */
@Injectable()
export class StorePackage {
  constructor(private readonly database: Database) {}

  /** To be called in the transaction that makes the course version. */
  async run(courseVersion: number, coursePackage: CoursePackage): Promise<void> {
    for (const [path, size] of coursePackage.sizes) {
      const [file] = await this.database.query<{ id: string }>(
        'INSERT INTO package_files (course_version, path, size) VALUES ($1, $2, $3) RETURNING id',
        [courseVersion, path, size],
      );
      let index = 0;
      for await (const bytes of piecesOf(await coursePackage.stream(path))) {
        await this.database.query(
          'INSERT INTO package_pieces (file, index, bytes) VALUES ($1, $2, $3)',
          [file?.id, index, bytes],
        );
        index += 1;
      }
    }
  }
}

/** The stream's bytes in pieces of one size, the last one shorter. */
async function* piecesOf(stream: Readable): AsyncGenerator<Buffer> {
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
