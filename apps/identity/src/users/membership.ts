import { type Sql, sql } from '@registrar/persistence';

/*
 * What a realm shows of a user, from `realm_users AS ru` and `users AS u`. Neither is shared with
 * other realms that have the address (contract/realm-users#own-users); those of memberships that
 * former versions made are.
 */

/** The id of the user in the realm. */
export const publicUserId = sql`coalesce(ru.public_user_id, ru.user_id)`;

/** The address in the spelling that the realm gave first. */
export const memberEmail = sql`coalesce(ru.email, u.email)`;

/** The id that a realm sees of the user of its row `api_keys`; null for an unbound key. */
export const publicUserIdOfKey = sql`(
  SELECT ${publicUserId} FROM realm_users AS ru
  WHERE ru.realm_id = api_keys.realm_id AND ru.user_id = api_keys.user_id
)`;

/** The row of `users` of a realm's user, or null for none. */
export const userIdOf = (realmId: number, shownId: number | null): Sql =>
  sql`(SELECT ru.user_id FROM realm_users AS ru
       WHERE ru.realm_id = ${realmId} AND ${publicUserId} = ${shownId})`;
