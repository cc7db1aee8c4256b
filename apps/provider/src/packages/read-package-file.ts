import { Database, sql } from '@registrar/persistence';
import {
  currentRequestContext,
  type RequestContext,
  runInRequestContext,
} from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import * as z from 'zod';

/** Bytes per piece of a stored file. Files that were stored with another value become unreadable. */
export const pieceBytes = 512 * 1024;

/** A file of a stored package. */
export const storedFile = z.object({ id: z.number(), size: z.number() });
export type StoredFile = z.output<typeof storedFile>;

const pieceRow = z.object({ bytes: z.instanceof(Buffer) });

/** Reads files of stored packages, with one piece in memory at a time. */
@Injectable()
export class ReadPackageFile {
  constructor(private readonly database: Database) {}

  /** Streams the bytes from `first` to `last`, both inclusive. */
  stream(file: StoredFile, first: number, last: number): Readable {
    // Without the deadline of the request: a video takes long over a slow connection.
    const requestId = currentRequestContext()?.requestId ?? `file ${file.id}`;
    const context = { requestId, deadline: null };
    return Readable.from(this.pieces(file, first, last, context), { objectMode: false });
  }

  private async *pieces(
    file: StoredFile,
    first: number,
    last: number,
    context: RequestContext,
  ): AsyncGenerator<Buffer> {
    for (let index = Math.floor(first / pieceBytes); index * pieceBytes <= last; index += 1) {
      const piece = await runInRequestContext(context, () =>
        this.database.maybeOne(
          pieceRow,
          sql`SELECT bytes FROM package_pieces WHERE file = ${file.id} AND index = ${index}`,
        ),
      );
      if (!piece) throw new Error('the file was deleted while it was read');
      const start = index * pieceBytes;
      yield piece.bytes.subarray(Math.max(0, first - start), last + 1 - start);
    }
  }
}
