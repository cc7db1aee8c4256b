import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { appendPackagePiece, Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { requireCourseWriter } from '../access-rules.ts';

/** Injection token for the size of the largest package, in bytes. */
export const maxPackageBytes = Symbol('maxPackageBytes');

const uploadRow = z.object({ size: z.number() });

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
   * @throws {Failure} `invalid` when the package exceeds the largest size; `unauthenticated` for a
   * user-bound key
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
    });
    return {};
  }
}
