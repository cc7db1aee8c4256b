import { type ReplyOf } from '#libs/bus';
import { type listProviderApplications } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Every provider application of the installation: a question of services, not of callers. */
@Injectable()
export class ListProviderApplications {
  constructor(private readonly database: Database) {}

  async run(): Promise<ReplyOf<typeof listProviderApplications>> {
    const applications = await this.database.query<{ id: number; realmId: number }>(
      'SELECT id, realm_id AS "realmId" FROM provider_applications ORDER BY id',
    );
    return { applications };
  }
}
