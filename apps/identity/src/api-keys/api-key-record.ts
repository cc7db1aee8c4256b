import { type AccessScope, isBright } from '@registrar/contracts';
import { sql, type Sql, timestampOf } from '@registrar/persistence';

/**
 * The columns of an API key record (contract/api-keys#record), for `RETURNING`; without the token,
 * which is not stored. The id of the user is the one that the realm sees.
 *
 * @param scope that of the client that gets the record; null for the operator
 */
export const apiKeyColumns = (scope: AccessScope | null): Sql => sql`
  id, realm_id, provider_application_id AS course_provider_id,
  (SELECT ru.public_user_id FROM realm_users AS ru
   WHERE ru.realm_id = api_keys.realm_id AND ru.user_id = api_keys.user_id) AS user_id,
  NULL::text AS token_type,
  ${timestampOf(sql`created_at`)} AS created_at, ${timestampOf(sql`updated_at`)} AS updated_at,
  ${scope && isBright(scope) ? expiryInMilliseconds : timestampOf(sql`expires_at`)} AS expires_at`;

/** contract/compatibility#key-expiry */
const expiryInMilliseconds = sql`
  to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
