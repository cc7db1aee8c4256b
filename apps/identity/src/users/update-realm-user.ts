import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  auditActorOf,
  Failure,
  type RealmUserRecord,
  realmUserRecord,
  updateRealmUser,
} from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { isRealmUserInScope, requireRealmUserUpdate } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { realmUserColumns } from './realm-user-record.ts';

/** SQL condition on `realm_users AS ru`: the user that a request selects. */
export const isSelectedUser = (user: InputOf<typeof updateRealmUser>['user']): Sql =>
  user.by === 'id' ? sql`ru.id = ${user.id}` : sql`lower(ru.email) = lower(${user.email})`;

/** The failure of a request whose user the scope does not reach (contract/access#user-key-other-learner). */
export const noSuchUser = ({ user }: AccessScope): Failure =>
  user
    ? new Failure('unauthenticated', 'the API key is bound to another user')
    : new Failure('not-found', 'no such user in the realm');

/** Updates a user of the realm (contract/realm-users#update). Null leaves a field unchanged. */
@Controller()
export class UpdateRealmUser {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` if the realm has no such user; `unauthenticated` */
  @HandleRequest(updateRealmUser)
  async update(input: InputOf<typeof updateRealmUser>): Promise<RealmUserRecord> {
    const { scope, user, custom, realmRoleId } = input;
    requireRealmUserUpdate(scope);
    if (scope.user && realmRoleId !== null) {
      throw new Failure('unauthenticated', 'a user-bound key changes no role');
    }
    return this.database.transaction(async () => {
      const row = await this.database.maybeOne(
        realmUserRecord,
        sql`UPDATE realm_users AS ru
            SET custom = coalesce(${custom}, ru.custom),
                realm_role_id = coalesce(${realmRoleId}, ru.realm_role_id),
                updated_at = now()
            WHERE ${isRealmUserInScope(scope)} AND ${isSelectedUser(user)}
            RETURNING ${realmUserColumns}`,
      );
      if (!row) throw noSuchUser(scope);
      // A learner may change their own data any number of times, which must not fill the log.
      if (scope.user === null) {
        await this.audit.record({
          action: 'realm-user.updated',
          actor: auditActorOf(scope),
          realmId: scope.realmId,
          subject: { realm_user_id: row.id, realm_role_id: row.realm_role_id },
        });
      }
      return row;
    });
  }
}
