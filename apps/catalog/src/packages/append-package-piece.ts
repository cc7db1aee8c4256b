import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { type AccessScope, appendPackagePiece, Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { requireCourseWriter } from '../access-rules.ts';

/** Injection token for the size of the largest package, in bytes. */
export const maxPackageBytes = Symbol('maxPackageBytes');

/** What a realm without limits of its own may keep (docs/operations.md#limits-of-realms). */
const defaultLimits = { uploads: 20, uploadMegabytes: 2_048 };

const bytesPerMegabyte = 1024 * 1024;

const uploadRow = z.object({ size: z.number() });
const keptRow = z.object({ uploads: z.number(), bytes: z.number() });

/** Stores a piece of a course package until course create asks for the whole package. */
@Injectable()
export class AppendPackagePiece {
  constructor(
    private readonly database: Database,
    @Inject(maxPackageBytes) private readonly maxBytes: number,
  ) {}

  /**
   * Sending a piece again changes nothing. The upload belongs to the realm of the scope.
   *
   * @throws {Failure} `invalid` when the package exceeds the largest size; `over-limit` when the
   * packages of the realm that wait for their import do; `unauthenticated` for a user-bound key
   */
  @HandleRequest(appendPackagePiece)
  async append(
    input: InputOf<typeof appendPackagePiece>,
  ): Promise<ReplyOf<typeof appendPackagePiece>> {
    const { scope, uploadId, index, bytes } = input;
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
          INSERT INTO package_uploads AS u (realm_id, upload_id, size)
          SELECT ${scope.realmId}, ${uploadId}, coalesce(sum(size), 0) FROM piece
          ON CONFLICT (realm_id, upload_id) DO UPDATE SET size = u.size + excluded.size
          RETURNING size`,
      );
      if (upload.size > this.maxBytes) {
        throw new Failure('invalid', `the package is larger than ${this.maxBytes} bytes`);
      }
      await this.requireRoom(scope);
    });
    return {};
  }

  /** @throws {Failure} `over-limit` when the realm has more packages than it may */
  private async requireRoom({ realmId, limits }: AccessScope): Promise<void> {
    const { uploads, uploadMegabytes } = { ...defaultLimits, ...limits };
    const kept = await this.database.one(
      keptRow,
      sql`SELECT count(*) AS uploads, coalesce(sum(size), 0)::bigint AS bytes
          FROM package_uploads WHERE realm_id = ${realmId}`,
    );
    if (kept.uploads <= uploads && kept.bytes <= uploadMegabytes * bytesPerMegabyte) return;
    const bounds = `${uploads} packages or ${uploadMegabytes} MiB`;
    throw new Failure('over-limit', `the uploads of realm ${realmId} exceed ${bounds}`);
  }
}
