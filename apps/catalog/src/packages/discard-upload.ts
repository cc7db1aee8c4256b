import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { discardUpload } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireCourseWriter } from '../access-rules.ts';

/** Deletes an upload that was aborted, or that no operation has used. */
@Controller()
export class DiscardUpload {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` for a user-bound key */
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
}
