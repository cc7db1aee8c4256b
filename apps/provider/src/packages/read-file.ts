import { Database } from '#libs/persistence';
import { currentOperation, type Operation, runOperation } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';

/** Bytes of a piece in which files are stored. Changing it would break the files that exist. */
export const pieceBytes = 512 * 1024;

/** A file of a stored package. */
export interface StoredFile {
  readonly id: string;
  readonly size: number;
}

/** Reads files of stored packages as they are needed: one piece in memory at a time. */
@Injectable()
export class ReadFile {
  constructor(private readonly database: Database) {}

  /** The bytes from `first` to `last`, both included. */
  stream(file: StoredFile, first: number, last: number): Readable {
    // Not under the deadline of the request: over a slow line, a video takes as long as it takes.
    const requestId = currentOperation()?.requestId ?? `file ${file.id}`;
    const operation = { requestId, deadline: null };
    return Readable.from(this.pieces(file, first, last, operation), { objectMode: false });
  }

  private async *pieces(
    file: StoredFile,
    first: number,
    last: number,
    operation: Operation,
  ): AsyncGenerator<Buffer> {
    for (let index = Math.floor(first / pieceBytes); index * pieceBytes <= last; index += 1) {
      const [piece] = await runOperation(operation, () =>
        this.database.query<{ bytes: Buffer }>(
          'SELECT bytes FROM package_pieces WHERE file = $1 AND index = $2',
          [file.id, index],
        ),
      );
      if (!piece) throw new Error('the file was deleted while it was read');
      const begin = index * pieceBytes;
      yield piece.bytes.subarray(Math.max(0, first - begin), last + 1 - begin);
    }
  }
}
