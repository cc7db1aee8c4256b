import { HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import {
  accessChanged,
  type ApiKeyRecordWithoutToken,
  apiKeyRecordWithoutToken,
  auditActorOf,
  Failure,
  renewApiKey,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Inject, Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { type IdentitySettings, identitySettingsToken } from '../settings.ts';
import { keyToRenew } from '../access-rules.ts';
import { apiKeyColumns } from './api-key-record.ts';
import { lifetimeHoursOf } from './lifetime-hours.ts';

const renewedRow = apiKeyRecordWithoutToken.extend({
  isUserBound: z.boolean(),
  isAudited: z.boolean(),
});

/** Renews the API key of a request (contract/api-keys#renew), or one that the console names. */
@Controller()
export class RenewApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @Inject(identitySettingsToken) private readonly settings: IdentitySettings,
  ) {}

  /**
   * @throws {Failure} see {@link keyToRenew}; for a key that does not exist or has expired `unauthenticated`, or
   * `not-found` if the request names it
   */
  @HandleRequest(renewApiKey)
  renew({
    scope,
    apiKeyId: named,
  }: InputOf<typeof renewApiKey>): Promise<ApiKeyRecordWithoutToken> {
    const { realmId } = scope;
    const apiKeyId = keyToRenew(scope, named);
    const longest = (isUserBound: boolean) =>
      lifetimeHoursOf(this.settings, { isUserBound, lifetimeHours: null });
    return this.database.transaction(async () => {
      const renewed = await this.database.maybeOne(
        renewedRow,
        sql`UPDATE api_keys
            SET expires_at = least(
                  now() + interval '1 hour' * least(
                    lifetime_hours,
                    CASE WHEN user_id IS NULL THEN ${longest(false)}::integer ELSE ${longest(true)} END),
                  ends_at),
                updated_at = now(),
                renewal_audited_at = CASE
                  WHEN renewal_audited_at > now() - interval '1 hour' THEN renewal_audited_at
                  ELSE now() END
            WHERE realm_id = ${realmId} AND id = ${apiKeyId} AND expires_at > now()
            RETURNING ${apiKeyColumns(scope)}, user_id IS NOT NULL AS "isUserBound",
              renewal_audited_at = now() AS "isAudited"`,
      );
      if (!renewed) {
        const code = named === undefined ? 'unauthenticated' : 'not-found';
        throw new Failure(code, 'no API key that could be renewed');
      }
      const { isUserBound, isAudited, ...key } = renewed;
      // Gateways cache when the key expires.
      await this.outbox.publish(accessChanged, { realmId });
      // A key may renew itself any number of times, which must not fill the log.
      if (named !== undefined || (!isUserBound && isAudited)) {
        const subject = { api_key_id: key.id };
        const actor = auditActorOf(scope);
        await this.audit.record({ action: 'api-key.renewed', actor, realmId, subject });
      }
      return key;
    });
  }
}
