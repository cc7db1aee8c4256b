import { type RealmUserRecord, realmUserRecord, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';

/** A row of {@link realmUserColumns}. */
export const realmUserRow = realmUserRecord.extend({ created_at: z.date(), updated_at: z.date() });

/** The columns of a realm user record, from `realm_users AS ru`. */
export const realmUserColumns = sql`ru.id, ru.realm_id, ru.realm_role_id, ru.public_user_id AS user_id, ru.custom,
  ru.created_at, ru.updated_at, ru.email`;

/** Makes a realm user record (contract/realm-users#record). */
export const toRealmUserRecord = (row: z.infer<typeof realmUserRow>): RealmUserRecord => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
