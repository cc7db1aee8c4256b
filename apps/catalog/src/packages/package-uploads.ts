import { Failure } from '@registrar/contracts';
import { type CoursePackage } from '@registrar/course-provider';
import { Database, type Sql, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

/** Identifies an upload within its realm. */
export interface UploadKey {
  readonly realmId: number;
  readonly uploadId: string;
}

/** How long an upload is kept on which nobody works: seconds. No import takes longer. */
export const idleSeconds = 600;

/** How long the progress of an import is known, so that a repeated create continues it. */
const progressHours = 24;

/** How far an earlier attempt has come with the import of an upload. */
const importProgress = z.object({
  /** The course's version before the import, -1 for no course; null until the import starts. */
  importedOver: z.number().nullable(),
  /** The provider's import job; null until the provider has returned it. */
  importJob: z.string().nullable(),
});
export type Upload = Required<CoursePackage> & z.output<typeof importProgress>;

const uploadRow = importProgress.extend({
  size: z.number(),
  pieces: z.number(),
  isComplete: z.boolean(),
});
const pieceRow = z.object({ bytes: z.instanceof(Buffer) });

/** SQL condition: the row is of the upload. */
const isOf = ({ realmId, uploadId }: UploadKey): Sql =>
  sql`realm_id = ${realmId} AND upload_id = ${uploadId}`;

/** The course packages that are on their way to a provider. */
@Injectable()
export class PackageUploads {
  constructor(private readonly database: Database) {}

  /**
   * Returns a package whose pieces are read from the database one at a time, on demand.
   *
   * @throws {Failure} `not-found` when the realm has no such upload; `invalid` when a piece of it
   * is missing
   */
  async open(key: UploadKey): Promise<Upload> {
    const { size: length, pieces, importedOver, importJob } = await this.find(key);
    return { length, bytes: this.pieces(key, pieces), importedOver, importJob };
  }

  /**
   * Returns one piece of a package, and how many there are.
   *
   * @throws {Failure} `not-found` when the realm has no such upload, or the upload no such piece; `invalid` when a piece
   * of it is missing
   */
  async piece(key: UploadKey, index: number): Promise<{ bytes: Buffer; pieces: number }> {
    const { pieces } = await this.find(key);
    const bytes = await this.readPiece(key, index);
    if (!bytes) throw new Failure('not-found', 'the upload has no such piece');
    return { bytes, pieces };
  }

  /** Finds an upload, on which somebody works. */
  private async find(key: UploadKey): Promise<z.output<typeof uploadRow>> {
    const upload = await this.database.maybeOne(
      uploadRow,
      sql`
        WITH used AS (
          UPDATE package_uploads SET active_at = now() WHERE ${isOf(key)}
        )
        SELECT u.size, count(*) AS pieces, count(*) = max(p.index) + 1 AS "isComplete",
               u.imported_over AS "importedOver", u.import_job AS "importJob"
        FROM package_uploads AS u JOIN package_pieces AS p USING (realm_id, upload_id)
        WHERE ${isOf(key)}
        GROUP BY realm_id, upload_id, u.size, u.imported_over, u.import_job`,
    );
    if (!upload) throw new Failure('not-found', 'no such upload');
    if (!upload.isComplete) throw new Failure('invalid', 'a piece of the package is missing');
    return upload;
  }

  /**
   * Records that an import is about to start.
   *
   * @param importedOver the course's version at the provider; -1 if there is no such course
   */
  async saveImportStart(key: UploadKey, importedOver: number): Promise<void> {
    await this.database.execute(
      sql`UPDATE package_uploads SET imported_over = ${importedOver}, active_at = now()
          WHERE ${isOf(key)}`,
    );
  }

  /** Records the provider's import job. */
  async saveImportJob(key: UploadKey, importJob: string): Promise<void> {
    await this.database.execute(
      sql`UPDATE package_uploads SET import_job = ${importJob}, active_at = now()
          WHERE ${isOf(key)}`,
    );
  }

  async delete(key: UploadKey): Promise<void> {
    await this.database.execute(sql`DELETE FROM package_uploads WHERE ${isOf(key)}`);
  }

  /**
   * Deletes, for all realms, the uploads on which nobody works any more. Of an upload whose import
   * has started it deletes the pieces first, and the progress of the import later.
   */
  @PeriodicTask({ name: 'prune package uploads', everyMs: 60_000, timeoutMs: 50_000 })
  async prune(): Promise<void> {
    const isIdle = sql`active_at < now() - ${idleSeconds} * interval '1 second'`;
    await this.database.execute(sql`
      DELETE FROM package_uploads
      WHERE ${isIdle}
        AND (imported_over IS NULL OR created_at < now() - ${progressHours} * interval '1 hour')`);
    await this.database.execute(sql`
      WITH emptied AS (
        UPDATE package_uploads SET size = 0
        WHERE ${isIdle} AND size > 0
        RETURNING realm_id, upload_id
      )
      DELETE FROM package_pieces AS piece USING emptied
      WHERE piece.realm_id = emptied.realm_id AND piece.upload_id = emptied.upload_id`);
  }

  private async *pieces(key: UploadKey, count: number) {
    for (let index = 0; index < count; index += 1) {
      const bytes = await this.readPiece(key, index);
      if (!bytes) throw new Failure('unavailable', 'the upload was deleted while it was read');
      yield bytes;
    }
  }

  private async readPiece(key: UploadKey, index: number): Promise<Buffer | undefined> {
    const piece = await this.database.maybeOne(
      pieceRow,
      sql`SELECT bytes FROM package_pieces WHERE ${isOf(key)} AND index = ${index}`,
    );
    return piece?.bytes;
  }
}
