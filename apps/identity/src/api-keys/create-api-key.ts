import { type InputOf } from '#libs/bus';
import { type ApiKeyRecord, type createApiKey, toTimestamp } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { keyBinding } from './key-binding.ts';
import { MintApiKey } from './mint-api-key.ts';

/** Makes an api key for who presents a pair (api-v2.md, API key: create). */
@Injectable()
export class CreateApiKey {
  constructor(private readonly mintApiKey: MintApiKey) {}

  /** @throws {Failure} what {@link keyBinding} throws */
  async run(input: InputOf<typeof createApiKey>): Promise<ApiKeyRecord> {
    const { scope, userEmail } = input;
    const { realmId } = scope;
    const applicationId = keyBinding(scope, input.applicationId);
    const key = await this.mintApiKey.run({ realmId, applicationId, userEmail });
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
