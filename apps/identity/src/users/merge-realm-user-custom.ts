import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  auditActorOf,
  Failure,
  isBright,
  mergeCustom,
  mergeRealmUserCustom,
  type RealmUserRecord,
  realmUserRecord,
} from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { isRealmUserInScope } from '../access-rules.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { EnsureUsers } from './ensure-users.ts';
import { realmUserColumns } from './realm-user-record.ts';
import { isSelectedUser, noSuchUser } from './update-realm-user.ts';

type Input = InputOf<typeof mergeRealmUserCustom>;

const lockedRow = z.object({ id: z.number(), custom: z.string().nullable() });

/** Merges values into the custom data of a realm user (contract/realm-users#gcustom). */
@Controller()
export class MergeRealmUserCustom {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly ensureUsers: EnsureUsers,
  ) {}

  /** @throws {Failure} `not-found`, `unauthenticated`, `invalid` */
  @HandleRequest(mergeRealmUserCustom)
  async merge(input: Input): Promise<RealmUserRecord> {
    const { scope } = input;
    const reached = isRealmUserInScope(scope);
    return this.database.transaction(async () => {
      const { id, custom } = await this.lock(input, reached);
      const merged = mergeCustom(parseCustom(custom), input);
      const changed = await this.database.one(
        realmUserRecord,
        sql`UPDATE realm_users AS ru SET custom = ${JSON.stringify(merged)}, updated_at = now()
            WHERE ${reached} AND ru.id = ${id}
            RETURNING ${realmUserColumns}`,
      );
      // A learner may change their own data any number of times, which must not fill the log.
      if (scope.user === null) {
        await this.audit.record({
          action: 'realm-user.updated',
          actor: auditActorOf(scope),
          realmId: scope.realmId,
          subject: { realm_user_id: id },
        });
      }
      return changed;
    });
  }

  /** Locks the row, so that concurrent merges lose nothing. */
  private async lock({ scope, user }: Input, reached: Sql) {
    const locked = sql`
      SELECT ru.id, ru.custom FROM realm_users AS ru
      WHERE ${reached} AND ${isSelectedUser(user)}
      FOR UPDATE`;
    const row = await this.database.maybeOne(lockedRow, locked);
    if (row) return row;
    if (!createsUsers(scope) || user.by !== 'email') throw noSuchUser(scope);
    await this.ensureUsers.ensureOne(scope.realmId, user.email, 'learner');
    return this.database.one(lockedRow, locked);
  }
}

/** Whether a merge creates the user of an unknown address (contract/compatibility#gcustom-creates-user). */
const createsUsers = (scope: AccessScope) => isBright(scope) && scope.mode === 'realm';

/** @throws {Failure} `invalid` for text that is not JSON */
function parseCustom(custom: string | null): z.core.util.JSONType {
  if (custom === null || custom.trim() === '') return null;
  try {
    return JSON.parse(custom) as z.core.util.JSONType;
  } catch {
    throw new Failure('invalid', 'custom is not JSON');
  }
}
