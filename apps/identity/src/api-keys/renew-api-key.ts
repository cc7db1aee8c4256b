import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, Failure, renewApiKey, toTimestamp } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type ApiKeyLifetimes, apiKeyLifetimes } from './api-key-lifetimes.ts';

const renewedRow = z.object({
  id: z.number(),
  userId: z.number().nullable(),
  applicationId: z.number().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  expiresAt: z.date(),
});

/** Renews the API key of a request (contract/api-keys#renew). */
@Injectable()
export class RenewApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(apiKeyLifetimes) private readonly lifetimes: ApiKeyLifetimes,
  ) {}

  /** @throws {Failure} `unauthenticated` for other access, and for a key that has expired */
  @HandleRequest(renewApiKey)
  renew({ scope }: InputOf<typeof renewApiKey>): Promise<ReplyOf<typeof renewApiKey>> {
    const { realmId, apiKeyId } = scope;
    const { userHours, days } = this.lifetimes;
    const lifetimeHours = scope.user === null ? days * 24 : userHours;
    return this.database.transaction(async () => {
      const key = await this.database.maybeOne(
        renewedRow,
        sql`UPDATE api_keys
            SET expires_at = now() + ${lifetimeHours} * interval '1 hour', updated_at = now()
            WHERE realm_id = ${realmId} AND id = ${apiKeyId} AND expires_at > now()
            RETURNING id, user_id AS "userId", provider_application_id AS "applicationId",
                      created_at AS "createdAt", updated_at AS "updatedAt",
                      expires_at AS "expiresAt"`,
      );
      if (!key) throw new Failure('unauthenticated', 'no API key that could be renewed');
      // Gateways cache when the key expires.
      await this.outbox.publish(accessChanged, { realmId });
      return {
        id: key.id,
        token_type: null,
        created_at: toTimestamp(key.createdAt),
        updated_at: toTimestamp(key.updatedAt),
        expires_at: toTimestamp(key.expiresAt),
        user_id: key.userId,
        course_provider_id: key.applicationId,
        realm_id: realmId,
      };
    });
  }
}
