import { type InputOf } from '#libs/bus';
import { type createRealmUser, Failure, type RealmUserRecord } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealm } from './realm-user-access.ts';
import { realmUserColumns, realmUserRecord, type RealmUserRow } from './realm-user-record.ts';
import { realmRoles } from './realm-role.ts';

type Input = InputOf<typeof createRealmUser>;

/**
 * Makes a user of the realm (decision 23). Somebody whom another realm knows already becomes a
 * user of this one too. Of equal creates that race each other one makes the user.
 */
@Injectable()
export class CreateRealmUser {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unchanged` when the realm has a user of that address; `unauthenticated` */
  async run(input: Input): Promise<RealmUserRecord> {
    requireRealm(input.scope);
    const row = await this.database.transaction(() => this.insert(input));
    if (!row) throw new Failure('unchanged', 'the realm has a user of that address');
    return realmUserRecord(row);
  }

  private async insert(input: Input): Promise<RealmUserRow | undefined> {
    const { scope, email, custom, realmRoleId } = input;
    // Looks first: a create that is repeated for ever draws no ids.
    await this.database.query(
      `INSERT INTO users (email)
       SELECT $1 WHERE NOT EXISTS (SELECT FROM users WHERE lower(email) = lower($1))
       ON CONFLICT (lower(email)) DO NOTHING`,
      [email],
    );
    // A statement of its own, which sees the user that another transaction has just made.
    const [row] = await this.database.query<RealmUserRow>(
      `WITH ru AS (
         INSERT INTO realm_users (realm_id, user_id, custom, realm_role_id)
         SELECT $1, u.id, $3, $4 FROM users AS u
         WHERE lower(u.email) = lower($2) AND NOT EXISTS (
           SELECT FROM realm_users AS known WHERE known.realm_id = $1 AND known.user_id = u.id
         )
         ON CONFLICT (realm_id, user_id) DO NOTHING
         RETURNING *
       )
       SELECT ${realmUserColumns} FROM ru JOIN users AS u ON u.id = ru.user_id`,
      [scope.realmId, email, custom, realmRoleId ?? realmRoles.learner],
    );
    return row;
  }
}
