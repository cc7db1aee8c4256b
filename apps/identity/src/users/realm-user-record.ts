import { type RealmUserRecord, toTimestamp } from '#libs/contracts';

/** A realm user as {@link realmUserColumns} select it. */
export type RealmUserRow = Omit<RealmUserRecord, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** What a query of `realm_users AS ru` and `users AS u` selects for a record. */
export const realmUserColumns =
  'ru.id, ru.realm_id, ru.realm_role_id, ru.user_id, ru.custom, ru.created_at, ru.updated_at, u.email';

/** The realm user record of api-v2.md, with `email` (decision 23). */
export const realmUserRecord = (row: RealmUserRow): RealmUserRecord => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
