import { Failure, type ProviderCredentials } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** How to call a provider application's course provider. The secret stays sealed. */
@Injectable()
export class FindProviderCredentials {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` */
  async run(applicationId: number): Promise<ProviderCredentials> {
    const [found] = await this.database.query<ProviderCredentials>(
      `SELECT id AS "applicationId", realm_id AS "realmId", base_url AS "baseUrl",
              app_id AS "appId", sealed_secret_key AS "sealedSecretKey"
       FROM provider_applications WHERE id = $1`,
      [applicationId],
    );
    if (!found) throw new Failure('not-found', `no provider application ${applicationId}`);
    return found;
  }
}
