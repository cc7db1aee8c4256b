import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { findProviderCredentials } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { PostbackSecrets } from './postback-secrets.ts';

/** Returns what a service needs to call a course provider. The secrets stay sealed. */
@Controller()
export class FindProviderCredentials {
  constructor(private readonly postbackSecrets: PostbackSecrets) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(findProviderCredentials)
  async find({
    applicationId,
  }: InputOf<typeof findProviderCredentials>): Promise<ReplyOf<typeof findProviderCredentials>> {
    const { realmId, baseUrl, appId, sealedSecretKey, sealedPostbackSecret } =
      await this.postbackSecrets.applicationWithSecret(applicationId);
    return { applicationId, realmId, baseUrl, appId, sealedSecretKey, sealedPostbackSecret };
  }
}
