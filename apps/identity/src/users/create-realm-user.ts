import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  auditActorOf,
  createRealmUser,
  Failure,
  type RealmUserRecord,
  realmUserRecord,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { realmRoles } from './realm-roles.ts';
import { realmUserColumns } from './realm-user-record.ts';

type Input = InputOf<typeof createRealmUser>;

/**
 * Creates a user of the realm (contract/realm-users#create). A user of another realm becomes a user
 * of this one too. Concurrent identical creates insert one row.
 */
@Controller()
export class CreateRealmUser {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `unchanged` if the realm has a user of that address; `unauthenticated` */
  @HandleRequest(createRealmUser)
  async create(input: Input): Promise<RealmUserRecord> {
    const { scope } = input;
    requireRealmAccess(scope);
    return this.database.transaction(async () => {
      const row = await this.insert(input);
      if (!row) throw new Failure('unchanged', 'the realm has a user of that address');
      await this.audit.record({
        action: 'realm-user.created',
        actor: auditActorOf(scope),
        realmId: scope.realmId,
        subject: { realm_user_id: row.id, realm_role_id: row.realm_role_id },
      });
      return row;
    });
  }

  private async insert({ scope, email, custom, realmRoleId }: Input) {
    // NOT EXISTS keeps repeated creates from consuming values of the sequence.
    await this.database.execute(sql`
      INSERT INTO users (email)
      SELECT ${email} WHERE NOT EXISTS (SELECT FROM users WHERE lower(email) = lower(${email}))
      ON CONFLICT (lower(email)) DO NOTHING`);
    // A separate statement sees a user that another transaction has inserted meanwhile.
    return this.database.maybeOne(
      realmUserRecord,
      sql`WITH ru AS (
            INSERT INTO realm_users (realm_id, user_id, email, custom, realm_role_id)
            SELECT ${scope.realmId}, u.id, ${email}, ${custom},
                   ${realmRoleId ?? realmRoles.learner}::integer
            FROM users AS u
            WHERE lower(u.email) = lower(${email}) AND NOT EXISTS (
              SELECT FROM realm_users AS known
              WHERE known.realm_id = ${scope.realmId} AND known.user_id = u.id
            )
            ON CONFLICT (realm_id, user_id) DO NOTHING
            RETURNING *
          )
          SELECT ${realmUserColumns} FROM ru`,
    );
  }
}
