import { Failure } from '#libs/contracts';
import { type CoursePackage } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Names an upload; only requests of its realm can. */
export interface UploadName {
  readonly realmId: number;
  readonly uploadId: string;
}

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
  async open({ realmId, uploadId }: UploadName): Promise<Required<CoursePackage>> {
    const [upload] = await this.database.query<{ size: number; pieces: number; whole: boolean }>(
      `SELECT u.size::double precision AS size, count(*)::integer AS pieces,
              count(*) = max(p.index) + 1 AS whole
       FROM package_uploads AS u JOIN package_pieces AS p USING (realm_id, upload_id)
       WHERE u.realm_id = $1 AND u.upload_id = $2
       GROUP BY u.realm_id, u.upload_id`,
      [realmId, uploadId],
    );
    if (!upload) throw new Failure('not-found', 'no such upload');
    if (!upload.whole) throw new Failure('invalid', 'a piece of the package is missing');
    return { length: upload.size, bytes: this.pieces({ realmId, uploadId }, upload.pieces) };
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
