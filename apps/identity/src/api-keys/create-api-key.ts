import { HandleRequest, type InputOf } from '@registrar/bus';
import { type ApiKeyRecord, auditActorOf, createApiKey } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireCurrentSecret } from '../access/require-current-secret.ts';
import { applicationOfNewKey } from '../access-rules.ts';
import { InsertApiKey } from './insert-api-key.ts';

/** Creates an API key for a caller with a realm or provider pair (contract/api-keys#create). */
@Controller()
export class CreateApiKey {
  constructor(
    private readonly database: Database,
    private readonly insertApiKey: InsertApiKey,
  ) {}

  /** @throws {Failure} see {@link applicationOfNewKey} and {@link requireCurrentSecret} */
  @HandleRequest(createApiKey)
  async create(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    const { scope, userEmail, permissions, lifetimeHours } = input;
    const applicationId = applicationOfNewKey(scope, input.applicationId);
    const key = await this.database.transaction(async () => {
      await requireCurrentSecret(this.database, scope);
      return this.insertApiKey.insert({
        actor: auditActorOf(scope),
        realmId: scope.realmId,
        applicationId,
        userEmail,
        permissions,
        lifetimeHours,
      });
    });
    return { ...key.record, access_token: key.token };
  }
}
