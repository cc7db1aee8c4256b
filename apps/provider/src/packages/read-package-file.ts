import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import {
  type Account,
  currentRequestContext,
  FairQueue,
  type Owner,
  runInRequestContext,
} from '@registrar/platform';
import { Injectable, NotFoundException } from '@nestjs/common';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { pieceBytes } from './package-pieces.ts';

/**
 * The bytes that are read at a time, a part of a piece: all that a reader has in memory. A part in base64 arrives in one
 * read of the socket, which takes 64 KiB. A larger one is copied from several, and these buffers make V8 collect all of
 * its garbage twice as often for each byte.
 */
export const partBytes = 32 * 1024;

/**
 * How many parts are read at a time: few, so that requests with other work find connections to the
 * database and turns of the event loop. Parts wait as long as their reader does.
 */
const partLimits = {
  running: 2,
  runningOfRealm: 1,
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};

/** An application that sends large files leaves the processors and the database to others. */
const ofApplication: Omit<Account, 'name'> = {
  running: partLimits.runningOfRealm,
  besideLighter: { others: 'realms', running: 1, rest: 4 },
  waiting: Infinity,
};

/** A file of a stored package. */
export const storedFile = z.object({ id: z.number(), size: z.number() });
export type StoredFile = z.output<typeof storedFile>;

/** The bytes from `first` to `last`, both inclusive. */
export interface FileRange {
  readonly first: number;
  readonly last: number;
}

const partRow = z.object({ base64: z.string() });

/** Reads files of stored packages. Applications take turns, and the readers of one too. */
@Injectable()
export class ReadPackageFile {
  readonly #turns = new FairQueue(
    partLimits,
    () => new Failure('overloaded', 'a part of a file could not be read in time'),
  );

  constructor(private readonly database: Database) {}

  /**
   * Streams a range of a file. A part is read when the one before it has been consumed.
   *
   * @param reader the application and one of its readers, such as a registration
   * @throws {NotFoundException} from the stream, if the course is deleted meanwhile
   */
  stream(file: StoredFile, range: FileRange, reader: Owner): Readable {
    // Without the deadline of the request: a video takes long over a slow connection.
    const requestId = currentRequestContext()?.requestId ?? `file ${file.id}`;
    const context = { requestId, deadline: null };
    const accounts = [{ name: `application ${reader.realmId}`, ...ofApplication }];
    const parts = this.parts(file, range, (read) =>
      runInRequestContext(context, () => this.#turns.run({ ...reader, accounts }, read, false)),
    );
    return Readable.from(parts, { objectMode: false, highWaterMark: 0 });
  }

  private async *parts(
    file: StoredFile,
    { first, last }: FileRange,
    inTurn: (read: () => Promise<Buffer>) => Promise<Buffer>,
  ): AsyncGenerator<Buffer> {
    for (let from = first, end; from <= last; from = end) {
      end = Math.min(from - (from % partBytes) + partBytes, last + 1);
      const part = { from, end };
      yield await inTurn(() => this.read(file, part));
    }
  }

  /** In base64: pg would get bytes as hexadecimal digits, which take several times as long to decode. */
  private async read(
    { id }: StoredFile,
    { from, end }: { readonly from: number; readonly end: number },
  ): Promise<Buffer> {
    const part = await this.database.maybeOne(
      partRow,
      sql`SELECT encode(substr(bytes, ${(from % pieceBytes) + 1}, ${end - from}), 'base64') AS base64
          FROM package_pieces WHERE file = ${id} AND index = ${Math.floor(from / pieceBytes)}`,
    );
    if (!part) throw new NotFoundException('The course was deleted while its file was read.');
    return Buffer.from(part.base64, 'base64');
  }
}
