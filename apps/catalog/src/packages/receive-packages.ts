import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { type AccessScope, appendPackagePiece, discardUpload, Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Controller } from '@nestjs/common';
import * as z from 'zod';
import { requireCourseWriter } from '../access-rules.ts';
import { idleSeconds } from './package-uploads.ts';

/** Injection token for the size of the largest package, in bytes. */
export const maxPackageBytes = Symbol('maxPackageBytes');

/** What a realm without limits of its own may keep (docs/operations.md#limits-of-realms). */
const defaultLimits = { uploads: 20, uploadMegabytes: 2_048 };

const bytesPerMegabyte = 1024 * 1024;

const uploadRow = z.object({ size: z.number(), isNew: z.boolean() });
const keptRow = z.object({
  uploads: z.number(),
  bytes: z.number(),
  ownUploads: z.number(),
  ownBytes: z.number(),
  secondsToWait: z.number(),
});

/** Stores the pieces of course packages until course create asks for the whole package. */
@Controller()
export class ReceivePackages {
  constructor(
    private readonly database: Database,
    @Inject(maxPackageBytes) private readonly maxBytes: number,
  ) {}

  /**
   * Sending a piece again changes nothing. The upload belongs to the realm of the scope.
   *
   * @throws {Failure} `invalid` when the package exceeds the largest size; `over-limit` when the
   * realm, or its provider application, has too many packages that wait for their import;
   * `unauthenticated` for a user-bound key
   */
  @HandleRequest(appendPackagePiece)
  async append(
    input: InputOf<typeof appendPackagePiece>,
  ): Promise<ReplyOf<typeof appendPackagePiece>> {
    const { scope, uploadId, index, bytes, attemptId } = input;
    requireCourseWriter(scope);
    const piece = Buffer.from(bytes, 'base64');
    await this.database.transaction(async () => {
      const upload = await this.database.one(
        uploadRow,
        sql`
          WITH piece AS (
            INSERT INTO package_pieces (realm_id, upload_id, index, bytes)
            VALUES (${scope.realmId}, ${uploadId}, ${index}, ${piece})
            ON CONFLICT DO NOTHING
            RETURNING octet_length(bytes) AS size
          )
          INSERT INTO package_uploads AS u
            (realm_id, upload_id, size, application_id, attempt_id)
          SELECT ${scope.realmId}, ${uploadId}, coalesce(sum(size), 0),
                 ${applicationOf(scope)}::bigint, ${attemptId}::uuid
          FROM piece
          ON CONFLICT (realm_id, upload_id) DO UPDATE SET
            size = u.size + excluded.size,
            active_at = now(),
            attempt_id =
              CASE WHEN ${index}::bigint = 0 THEN excluded.attempt_id ELSE u.attempt_id END
          RETURNING size, NOT EXISTS (
            SELECT FROM package_uploads AS before
            WHERE before.realm_id = u.realm_id AND before.upload_id = u.upload_id
              AND before.active_at > now() - ${idleSeconds} * interval '1 second'
          ) AS "isNew"`,
      );
      if (upload.size > this.maxBytes) {
        throw new Failure('invalid', `the package is larger than ${this.maxBytes} bytes`);
      }
      await this.requireRoom(scope, upload.isNew);
    });
    return {};
  }

  /**
   * Deletes an upload that was aborted, or that no operation has used.
   *
   * @throws {Failure} `unauthenticated` for a user-bound key
   */
  @HandleRequest(discardUpload)
  async discard(input: InputOf<typeof discardUpload>): Promise<ReplyOf<typeof discardUpload>> {
    const { scope, uploadId, attemptId } = input;
    requireCourseWriter(scope);
    await this.database.execute(
      sql`DELETE FROM package_uploads
          WHERE realm_id = ${scope.realmId} AND upload_id = ${uploadId}
            AND attempt_id = ${attemptId} AND imported_over IS NULL`,
    );
    return {};
  }

  /**
   * A provider application may keep as much as it leaves free, so that it cannot take everything
   * from the others of its realm. Access to the whole realm may keep all of it.
   *
   * @throws {Failure} `over-limit`, with the time until the next idle upload is deleted
   */
  private async requireRoom(scope: AccessScope, isNew: boolean): Promise<void> {
    const { realmId, limits } = scope;
    const { uploads, uploadMegabytes } = { ...defaultLimits, ...limits };
    const applicationId = applicationOf(scope);
    const kept = await this.database.one(
      keptRow,
      sql`
        WITH kept AS (
          SELECT size, active_at, application_id = ${applicationId}::bigint AS is_own
          FROM package_uploads
          WHERE realm_id = ${realmId}
            AND active_at > now() - ${idleSeconds} * interval '1 second'
        )
        SELECT count(*) AS uploads,
               coalesce(sum(size), 0)::bigint AS bytes,
               count(*) FILTER (WHERE is_own) AS "ownUploads",
               coalesce(sum(size) FILTER (WHERE is_own), 0)::bigint AS "ownBytes",
               ceil(${idleSeconds} - extract(epoch FROM now() - min(active_at)))::integer
                 AS "secondsToWait"
        FROM kept`,
    );
    const freeUploads = uploads - kept.uploads;
    const freeBytes = uploadMegabytes * bytesPerMegabyte - kept.bytes;
    const hasRoom = freeUploads >= 0 && freeBytes >= 0;
    // An upload under way goes on when others begin.
    const mayBegin = !isNew || kept.ownUploads <= freeUploads + 1;
    if (hasRoom && mayBegin && kept.ownBytes <= freeBytes) return;
    const owner = hasRoom ? `provider application ${applicationId}` : `realm ${realmId}`;
    const bounds = `${hasRoom ? 'its share of ' : ''}${uploads} packages or ${uploadMegabytes} MiB`;
    const message = `the uploads of ${owner} exceed ${bounds}`;
    const retryAfterSeconds = Math.max(1, kept.secondsToWait);
    throw new Failure('over-limit', message, undefined, { retryAfterSeconds });
  }
}

/** The provider application that an access is for; null for access to the whole realm. */
const applicationOf = ({ wholeRealm, applicationIds }: AccessScope): number | null =>
  wholeRealm ? null : (applicationIds[0] ?? null);
