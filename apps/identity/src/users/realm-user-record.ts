import { sql, timestampOf } from '@registrar/persistence';

/** The columns of a realm user record (contract/realm-users#record), from `realm_users AS ru`. */
export const realmUserColumns = sql`ru.id, ru.realm_id, ru.realm_role_id, ru.public_user_id AS user_id, ru.custom,
  ${timestampOf(sql`ru.created_at`)} AS created_at, ${timestampOf(sql`ru.updated_at`)} AS updated_at,
  ru.email`;
