import { HandleRequest, type InputOf } from '@registrar/bus';
import { type ApiKeyRecord, createApiKey, toTimestamp } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { applicationOfNewKey } from '../access-rules.ts';
import { InsertApiKey } from './insert-api-key.ts';

/** Creates an API key for a caller with a realm or provider pair (contract/api-keys#create). */
@Injectable()
export class CreateApiKey {
  constructor(private readonly insertApiKey: InsertApiKey) {}

  /** @throws {Failure} see {@link applicationOfNewKey} */
  @HandleRequest(createApiKey)
  async create(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    const { scope, userEmail } = input;
    const { realmId } = scope;
    const applicationId = applicationOfNewKey(scope, input.applicationId);
    const key = await this.insertApiKey.insert({ realmId, applicationId, userEmail });
    return {
      id: key.id,
      access_token: key.token,
      token_type: null,
      created_at: toTimestamp(key.createdAt),
      updated_at: toTimestamp(key.updatedAt),
      expires_at: toTimestamp(key.expiresAt),
      user_id: key.user?.userId ?? null,
      course_provider_id: applicationId,
      realm_id: realmId,
    };
  }
}
