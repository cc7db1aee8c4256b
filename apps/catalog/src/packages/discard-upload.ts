import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { discardUpload } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { requireCourseWriter } from '../access-rules.ts';
import { PackageUpload } from './package-upload.entity.ts';

/** Deletes an upload that was aborted, or that no operation has used. */
@Controller()
export class DiscardUpload {
  constructor(
    @InjectRepository(PackageUpload) private readonly uploads: Repository<PackageUpload>,
  ) {}

  /** @throws {Failure} `unauthenticated` for a user-bound key */
  @HandleRequest(discardUpload)
  async discard(input: InputOf<typeof discardUpload>): Promise<ReplyOf<typeof discardUpload>> {
    const { scope, uploadId, attemptId } = input;
    requireCourseWriter(scope);
    const { realmId } = scope;
    await this.uploads.delete({ realmId, uploadId, attemptId, importedOver: IsNull() });
    return {};
  }
}
