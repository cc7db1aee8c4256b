import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { readPackagePiece } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { requireCourseWriter } from '../access-rules.ts';
import { PackageUploads } from './package-uploads.ts';

/** Hands uploaded packages to the provider that checks them. */
@Controller()
export class ReadPackagePiece {
  constructor(private readonly uploads: PackageUploads) {}

  /**
   * @throws {Failure} `not-found` when the realm has no such upload, or the upload no such piece; `invalid` when a piece
   * of it is missing; `unauthenticated` for a user-bound key
   */
  @HandleRequest(readPackagePiece)
  async read({
    scope,
    uploadId,
    index,
  }: InputOf<typeof readPackagePiece>): Promise<ReplyOf<typeof readPackagePiece>> {
    requireCourseWriter(scope);
    const { realmId } = scope;
    const { bytes, pieces } = await this.uploads.piece({ realmId, uploadId }, index);
    return { bytes: bytes.toString('base64'), pieces };
  }
}
