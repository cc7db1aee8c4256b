import { sql, timestampOf } from '@registrar/persistence';
import { publicUserIdOfKey } from '../users/membership.ts';

/**
 * The columns of an API key record (contract/api-keys#record), for `RETURNING`; without the token,
 * which is not stored.
 */
export const apiKeyColumns = sql`id, realm_id, provider_application_id AS course_provider_id,
  ${publicUserIdOfKey} AS user_id, NULL::text AS token_type,
  ${timestampOf(sql`created_at`)} AS created_at, ${timestampOf(sql`updated_at`)} AS updated_at,
  ${timestampOf(sql`expires_at`)} AS expires_at`;
