import type { ApiKeyFilters } from '@registrar/contracts';
import { join, sql, type Sql } from '@registrar/persistence';

/** API keys that one request of the operator changes at most. */
export const apiKeyBatchSize = 500;

/**
 * SQL condition: the row of `api_keys AS k` has not expired and meets the filters.
 *
 * @param realmId null for any realm
 */
export function isSelectedApiKey(
  realmId: number | null,
  { userEmail, olderThanSeconds, unusedForSeconds }: ApiKeyFilters,
): Sql {
  const conditions = [sql`k.expires_at > now()`];
  if (realmId !== null) conditions.push(sql`k.realm_id = ${realmId}`);
  if (userEmail !== null) {
    conditions.push(
      sql`k.user_id = (SELECT id FROM users WHERE lower(email) = lower(${userEmail}))`,
    );
  }
  if (olderThanSeconds !== null) {
    conditions.push(sql`k.created_at <= ${secondsAgo(olderThanSeconds)}`);
  }
  if (unusedForSeconds !== null) {
    conditions.push(sql`coalesce(k.last_used_at, k.created_at) <= ${secondsAgo(unusedForSeconds)}`);
  }
  return join(conditions, ' AND ');
}

const secondsAgo = (seconds: number): Sql => sql`now() - ${seconds} * interval '1 second'`;
