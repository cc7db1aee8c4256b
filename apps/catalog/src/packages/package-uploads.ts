import { Failure } from '@registrar/contracts';
import { type CoursePackage } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
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

/** How long an upload waits for its course create. */
const retentionHours = 24;

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
    await this.uploads.update({ realmId, uploadId }, { importedOver });
  }

  /** Records the provider's import job. */
  async saveImportJob({ realmId, uploadId }: UploadKey, importJob: string): Promise<void> {
    await this.uploads.update({ realmId, uploadId }, { importJob });
  }

  async delete({ realmId, uploadId }: UploadKey): Promise<void> {
    await this.uploads.delete({ realmId, uploadId });
  }

  /** Deletes, for all realms, the uploads that no course create has asked for in time. */
  @PeriodicTask({ name: 'prune package uploads', everyMs: 10 * 60_000, timeoutMs: 60_000 })
  async prune(): Promise<void> {
    await this.database.execute(sql`
      DELETE FROM package_uploads
      WHERE created_at < now() - ${retentionHours} * interval '1 hour'`);
  }

  private async *pieces({ realmId, uploadId }: UploadKey, count: number) {
    for (let index = 0; index < count; index += 1) {
      const piece = await this.packagePieces.findOneBy({ realmId, uploadId, index });
      if (!piece) throw new Failure('unavailable', 'the upload was deleted while it was read');
      yield piece.bytes;
    }
  }
}
