import { Failure } from '@registrar/contracts';
import { type CoursePackage } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import * as z from 'zod';
import { PackagePiece } from './package-piece.entity.ts';
import { PackageUpload } from './package-upload.entity.ts';

/** Identifies an upload within its realm. */
export interface UploadKey {
  readonly realmId: number;
  readonly uploadId: string;
}

/** How far an earlier attempt has come with the import of an upload. */
type ImportProgress = Pick<PackageUpload, 'importedOver' | 'importJob'>;

export type Upload = Required<CoursePackage> & ImportProgress;

/** How long an upload is kept on which nobody works: seconds. No import takes longer. */
export const idleSeconds = 600;

/** How long the progress of an import is known, so that a repeated create continues it. */
const progressHours = 24;

const uploadRow = z.object({
  size: z.number(),
  pieces: z.number(),
  isComplete: z.boolean(),
  importedOver: z.number().nullable(),
  importJob: z.string().nullable(),
});

/** The course packages that are on their way to a provider. */
@Injectable()
export class PackageUploads {
  constructor(
    private readonly database: Database,
    @InjectRepository(PackageUpload) private readonly uploads: Repository<PackageUpload>,
    @InjectRepository(PackagePiece) private readonly packagePieces: Repository<PackagePiece>,
  ) {}

  /**
   * Returns a package whose pieces are read from the database one at a time, on demand.
   *
   * @throws {Failure} `not-found` when the realm has no such upload; `invalid` when a piece of it
   * is missing
   */
  async open({ realmId, uploadId }: UploadKey): Promise<Upload> {
    const upload = await this.database.maybeOne(
      uploadRow,
      sql`
        WITH used AS (
          UPDATE package_uploads SET active_at = now()
          WHERE realm_id = ${realmId} AND upload_id = ${uploadId}
        )
        SELECT u.size, count(*) AS pieces, count(*) = max(p.index) + 1 AS "isComplete",
               u.imported_over AS "importedOver", u.import_job AS "importJob"
        FROM package_uploads AS u JOIN package_pieces AS p USING (realm_id, upload_id)
        WHERE u.realm_id = ${realmId} AND u.upload_id = ${uploadId}
        GROUP BY u.realm_id, u.upload_id`,
    );
    if (!upload) throw new Failure('not-found', 'no such upload');
    if (!upload.isComplete) throw new Failure('invalid', 'a piece of the package is missing');
    const { size: length, importedOver, importJob } = upload;
    const bytes = this.pieces({ realmId, uploadId }, upload.pieces);
    return { length, bytes, importedOver, importJob };
  }

  /**
   * Records that an import is about to start.
   *
   * @param importedOver the course's version at the provider; -1 if there is no such course
   */
  async saveImportStart({ realmId, uploadId }: UploadKey, importedOver: number): Promise<void> {
    await this.saveProgress({ realmId, uploadId }, { importedOver });
  }

  /** Records the provider's import job. */
  async saveImportJob({ realmId, uploadId }: UploadKey, importJob: string): Promise<void> {
    await this.saveProgress({ realmId, uploadId }, { importJob });
  }

  async delete({ realmId, uploadId }: UploadKey): Promise<void> {
    await this.uploads.delete({ realmId, uploadId });
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

  private async saveProgress(
    { realmId, uploadId }: UploadKey,
    progress: Partial<ImportProgress>,
  ): Promise<void> {
    await this.uploads.update({ realmId, uploadId }, { ...progress, activeAt: () => 'now()' });
  }

  private async *pieces({ realmId, uploadId }: UploadKey, count: number) {
    for (let index = 0; index < count; index += 1) {
      const piece = await this.packagePieces.findOneBy({ realmId, uploadId, index });
      if (!piece) throw new Failure('unavailable', 'the upload was deleted while it was read');
      yield piece.bytes;
    }
  }
}
