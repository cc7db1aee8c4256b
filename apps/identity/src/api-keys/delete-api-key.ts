import { HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import {
  accessChanged,
  deleteApiKey,
  type DeletedApiKeyRecord,
  Failure,
  toTimestamp,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { keyToDelete } from '../access-rules.ts';

const deletedRow = z.object({
  id: z.number(),
  realm_id: z.number(),
  course_provider_id: z.number().nullable(),
  user_id: z.number().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  expires_at: z.date(),
});

/** Deletes an API key for its bearer or for its realm (contract/api-keys#delete). */
@Injectable()
export class DeleteApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {Failure} `not-found` when the realm has no such key; see {@link keyToDelete} */
  @HandleRequest(deleteApiKey)
  delete({ scope, apiKeyId }: InputOf<typeof deleteApiKey>): Promise<DeletedApiKeyRecord> {
    const { realmId } = scope;
    const id = keyToDelete(scope, apiKeyId);
    return this.database.transaction(async () => {
      const row = await this.database.maybeOne(
        deletedRow,
        sql`DELETE FROM api_keys WHERE id = ${id} AND realm_id = ${realmId}
            RETURNING id, realm_id, provider_application_id AS course_provider_id, user_id,
                      created_at, updated_at, expires_at`,
      );
      if (!row) throw new Failure('not-found', `the realm has no API key ${id}`);
      await this.outbox.publish(accessChanged, { realmId });
      return {
        ...row,
        token_type: null,
        created_at: toTimestamp(row.created_at),
        updated_at: toTimestamp(row.updated_at),
        expires_at: toTimestamp(row.expires_at),
      };
    });
  }
}
