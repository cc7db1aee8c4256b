import { Database, join, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { PackageBatch } from './package-pieces.ts';

const fileRow = z.object({ id: z.number(), path: z.string(), encoding: z.string() });

/** Names a file in one coding within its package. */
const keyOf = ({ path, encoding }: { readonly path: string; readonly encoding: string }) =>
  `${encoding} ${path}`;

/** Writes the files of a package to the database, where all replicas can read them. */
@Injectable()
export class StorePackage {
  constructor(private readonly database: Database) {}

  /** Must run in the transaction that creates the course version. */
  async store(courseVersion: number, batches: AsyncIterable<PackageBatch>): Promise<void> {
    const ids = new Map<string, number>();
    for await (const { files, pieces } of batches) {
      if (files.length > 0) {
        for (const row of await this.insertFiles(courseVersion, files)) ids.set(keyOf(row), row.id);
      }
      if (pieces.length > 0) await this.insertPieces(pieces, ids);
    }
  }

  private insertFiles(
    courseVersion: number,
    files: PackageBatch['files'],
  ): Promise<z.output<typeof fileRow>[]> {
    const paths = files.map(({ path }) => path);
    const encodings = files.map(({ encoding }) => encoding);
    const sizes = files.map(({ size }) => size);
    return this.database.many(
      fileRow,
      sql`INSERT INTO package_files (course_version, path, encoding, size)
          SELECT ${courseVersion}, path, encoding, size
          FROM unnest(${paths}::text[], ${encodings}::text[], ${sizes}::integer[])
            AS file (path, encoding, size)
          RETURNING id, path, encoding`,
    );
  }

  /** A parameter per value: a single parameter is sent as bytes, an array of them as text. */
  private async insertPieces(
    pieces: PackageBatch['pieces'],
    ids: ReadonlyMap<string, number>,
  ): Promise<void> {
    const rows = pieces.map(
      (piece) => sql`(${ids.get(keyOf(piece))}, ${piece.index}, ${piece.bytes})`,
    );
    await this.database.execute(
      sql`INSERT INTO package_pieces (file, index, bytes) VALUES ${join(rows, ', ')}`,
    );
  }
}
