import { type Sql, sql } from '@registrar/persistence';

/** The id that a realm sees of the user of its row `api_keys`; null for an unbound key. */
export const publicUserIdOfKey = sql`(
  SELECT ru.public_user_id FROM realm_users AS ru
  WHERE ru.realm_id = api_keys.realm_id AND ru.user_id = api_keys.user_id
)`;

/** The row of `users` of a realm's user, or null for none. */
export const userIdOf = (realmId: number, shownId: number | null): Sql =>
  sql`(SELECT ru.user_id FROM realm_users AS ru
       WHERE ru.realm_id = ${realmId} AND ru.public_user_id = ${shownId})`;
