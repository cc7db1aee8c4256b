import { Failure } from '#libs/contracts';
import { type CoursePackage } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Names an upload; only requests of its realm can. */
export interface UploadName {
  readonly realmId: number;
  readonly uploadId: string;
}

/** How far an earlier attempt has come with the import of an upload. */
interface BegunImport {
  /** The version of the course at the provider before it; -1 for none, null when there was none. */
  readonly importedOver: number | null;
  /** The provider's job, if the provider has told it. */
  readonly importJob: string | null;
}
export type Upload = Required<CoursePackage> & BegunImport;
type UploadRow = BegunImport & { size: number; pieces: number; whole: boolean };

/** How long an upload waits for the create that asks for it. */
const keptFor = '1 day';

/** The course packages that are on their way to a provider. */
@Injectable()
export class PackageUploads {
  constructor(private readonly database: Database) {}

  /**
   * A package whose pieces are read from the database as they are wanted, one at a time.
   *
   * @throws {Failure} `not-found` when the realm has no such upload; `invalid` when a piece of it
   * is missing
   */
  async open({ realmId, uploadId }: UploadName): Promise<Upload> {
    const [upload] = await this.database.query<UploadRow>(
      `SELECT u.size::double precision AS size, count(*)::integer AS pieces,
              count(*) = max(p.index) + 1 AS whole,
              u.imported_over AS "importedOver", u.import_job AS "importJob"
       FROM package_uploads AS u JOIN package_pieces AS p USING (realm_id, upload_id)
       WHERE u.realm_id = $1 AND u.upload_id = $2
       GROUP BY u.realm_id, u.upload_id`,
      [realmId, uploadId],
    );
    if (!upload) throw new Failure('not-found', 'no such upload');
    if (!upload.whole) throw new Failure('invalid', 'a piece of the package is missing');
    const { size: length, importedOver, importJob } = upload;
    const bytes = this.pieces({ realmId, uploadId }, upload.pieces);
    return { length, bytes, importedOver, importJob };
  }

  /**
   * Notes that the provider is about to be asked for the import.
   *
   * @param over the course's version at the provider; -1 while there is no such course
   */
  async beginImport({ realmId, uploadId }: UploadName, over: number): Promise<void> {
    await this.database.query(
      'UPDATE package_uploads SET imported_over = $3 WHERE realm_id = $1 AND upload_id = $2',
      [realmId, uploadId, over],
    );
  }

  /** Notes the provider's job. */
  async noteImport({ realmId, uploadId }: UploadName, jobId: string): Promise<void> {
    await this.database.query(
      'UPDATE package_uploads SET import_job = $3 WHERE realm_id = $1 AND upload_id = $2',
      [realmId, uploadId, jobId],
    );
  }

  async drop({ realmId, uploadId }: UploadName): Promise<void> {
    await this.database.query(
      'DELETE FROM package_uploads WHERE realm_id = $1 AND upload_id = $2',
      [realmId, uploadId],
    );
  }

  /** Forgets, of all realms, the uploads that no create has asked for in time. */
  async forgetOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM package_uploads WHERE created_at < now() - interval '${keptFor}'`,
    );
  }

  private async *pieces({ realmId, uploadId }: UploadName, count: number) {
    for (let index = 0; index < count; index += 1) {
      const [piece] = await this.database.query<{ bytes: Buffer }>(
        `SELECT bytes FROM package_pieces
         WHERE realm_id = $1 AND upload_id = $2 AND index = $3`,
        [realmId, uploadId, index],
      );
      if (!piece) throw new Failure('unavailable', 'the upload was dropped while it was read');
      yield piece.bytes;
    }
  }
}
