import { type ApiKeyRecordWithoutToken, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { publicUserIdOfKey } from '../users/membership.ts';

/** A row of `api_keys` without the hash of its token. */
export const apiKeyRow = z.object({
  id: z.number(),
  realm_id: z.number(),
  course_provider_id: z.number().nullable(),
  user_id: z.number().nullable(),
  created_at: z.date(),
  updated_at: z.date(),
  expires_at: z.date(),
});

/** The columns of an {@link apiKeyRow}, for `RETURNING`. */
export const apiKeyColumns = sql`id, realm_id, provider_application_id AS course_provider_id,
  ${publicUserIdOfKey} AS user_id,
  created_at, updated_at, expires_at`;

/** The API key record (contract/api-keys#record), apart from the token, which is not stored. */
export const toApiKeyRecord = (row: z.output<typeof apiKeyRow>): ApiKeyRecordWithoutToken => ({
  ...row,
  token_type: null,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  expires_at: toTimestamp(row.expires_at),
});
