import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, operatorActor, realmSwitched, switchRealm } from '@registrar/contracts';
import { Database, sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from './find-realm.ts';

const switchedRow = realmSwitched.payload.pick({ version: true, at: true, appIds: true });
const stateRow = switchRealm.reply.pick({ disabledAt: true });

/** Disables and enables realms. */
@Controller()
export class SwitchRealm {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(switchRealm)
  switch({
    realmGuid,
    enabled,
  }: InputOf<typeof switchRealm>): Promise<ReplyOf<typeof switchRealm>> {
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      const switched = await this.database.maybeOne(
        switchedRow,
        sql`UPDATE realms
            SET disabled_at = CASE WHEN ${enabled} THEN NULL ELSE now() END, version = version + 1
            WHERE id = ${realmId} AND (disabled_at IS NULL) <> ${enabled}
            RETURNING version, ${timestampOf(sql`now()`)} AS at,
              ARRAY(SELECT app_id FROM provider_applications WHERE realm_id = ${realmId} ORDER BY id)
                AS "appIds"`,
      );
      if (switched) {
        await this.outbox.publish(realmSwitched, { realmId, enabled, ...switched });
        await this.outbox.publish(accessChanged, { realmId });
        const action = enabled ? 'realm.enabled' : 'realm.disabled';
        await this.audit.record({ action, actor: operatorActor, realmId });
      }
      const { disabledAt } = await this.database.one(
        stateRow,
        sql`SELECT ${timestampOf(sql`disabled_at`)} AS "disabledAt" FROM realms WHERE id = ${realmId}`,
      );
      return { realmGuid, disabledAt };
    });
  }
}
