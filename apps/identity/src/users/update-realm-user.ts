import { type InputOf } from '#libs/bus';
import { Failure, type RealmUserRecord, type updateRealmUser } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealm } from './realm-user-access.ts';
import { realmUserColumns, realmUserRecord, type RealmUserRow } from './realm-user-record.ts';

/** Changes a user of the realm (decision 23). What is null stays as it is. */
@Injectable()
export class UpdateRealmUser {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` when the realm has no such user; `unauthenticated` */
  async run(input: InputOf<typeof updateRealmUser>): Promise<RealmUserRecord> {
    const { scope, user, custom, realmRoleId } = input;
    requireRealm(scope);
    const [row] = await this.database.query<RealmUserRow>(
      `UPDATE realm_users AS ru
       SET custom = coalesce($4, ru.custom), realm_role_id = coalesce($5, ru.realm_role_id),
           updated_at = now()
       FROM users AS u
       WHERE ru.realm_id = $1 AND u.id = ru.user_id
         AND (ru.id = $2 OR lower(u.email) = lower($3))
       RETURNING ${realmUserColumns}`,
      [
        scope.realmId,
        user.by === 'id' ? user.id : null,
        user.by === 'email' ? user.email : null,
        custom,
        realmRoleId,
      ],
    );
    if (!row) throw new Failure('not-found', 'no such user in the realm');
    return realmUserRecord(row);
  }
}
