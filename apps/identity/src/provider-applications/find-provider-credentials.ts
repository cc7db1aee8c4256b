import { HandleRequest, type InputOf } from '@registrar/bus';
import { Failure, findProviderCredentials, type ProviderCredentials } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Returns what a service needs to call a course provider. The secrets stay sealed. */
@Controller()
export class FindProviderCredentials {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(findProviderCredentials)
  async find({
    applicationId,
  }: InputOf<typeof findProviderCredentials>): Promise<ProviderCredentials> {
    const credentials = await this.database.maybeOne(
      findProviderCredentials.reply,
      sql`SELECT id AS "applicationId", realm_id AS "realmId", base_url AS "baseUrl",
                 app_id AS "appId", sealed_secret_key AS "sealedSecretKey",
                 sealed_postback_secret AS "sealedPostbackSecret"
          FROM provider_applications WHERE id = ${applicationId}`,
    );
    if (!credentials) throw new Failure('not-found', `no provider application ${applicationId}`);
    return credentials;
  }
}
