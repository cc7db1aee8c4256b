import { type InputOf } from '#libs/bus';
import { type appendPackagePiece, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { requireManager } from '../courses/create-reach.ts';

/** The token for the largest package that is taken, in bytes. */
export const maxPackageBytes = Symbol('largest package');

/** Keeps a piece of a course package until course create asks for the whole. */
@Injectable()
export class AppendPackagePiece {
  constructor(
    private readonly database: Database,
    @Inject(maxPackageBytes) private readonly maxBytes: number,
  ) {}

  /**
   * A piece that is sent again changes nothing. The upload belongs to the realm of the scope.
   *
   * @throws {Failure} `invalid` when the package becomes larger than is taken; `unauthenticated`
   * for an api key that is bound to a user
   */
  async run({ scope, uploadId, index, bytes }: InputOf<typeof appendPackagePiece>): Promise<void> {
    requireManager(scope);
    const piece = Buffer.from(bytes, 'base64');
    await this.database.transaction(async () => {
      const [upload] = await this.database.query<{ size: number }>(
        `WITH piece AS (
           INSERT INTO package_pieces (realm_id, upload_id, index, bytes)
           VALUES ($1, $2, $3, $4)
           ON CONFLICT DO NOTHING
           RETURNING octet_length(bytes) AS size
         )
         INSERT INTO package_uploads AS u (realm_id, upload_id, size)
         SELECT $1, $2, coalesce(sum(size), 0) FROM piece
         ON CONFLICT (realm_id, upload_id) DO UPDATE SET size = u.size + excluded.size
         RETURNING size::double precision AS size`,
        [scope.realmId, uploadId, index, piece],
      );
      if (upload && upload.size > this.maxBytes) {
        throw new Failure('invalid', `the package is larger than ${this.maxBytes} bytes`);
      }
    });
  }
}
