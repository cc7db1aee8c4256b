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
import { apiKeyColumns } from './api-key-record.ts';
import { lifetimeHoursOf } from './lifetime-hours.ts';

const renewedRow = apiKeyRecordWithoutToken.extend({ isAudited: z.boolean() });

/** Renews the API key of a request (contract/api-keys#renew). */
@Controller()
export class RenewApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
    @Inject(identitySettingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** @throws {Failure} `unauthenticated` for other access, and for a key that has expired */
  @HandleRequest(renewApiKey)
  renew({ scope }: InputOf<typeof renewApiKey>): Promise<ApiKeyRecordWithoutToken> {
    const { realmId, apiKeyId } = scope;
    const longest = lifetimeHoursOf(this.settings, {
      isUserBound: scope.user !== null,
      lifetimeHours: null,
    });
    return this.database.transaction(async () => {
      const renewed = await this.database.maybeOne(
        renewedRow,
        sql`UPDATE api_keys
            SET expires_at = least(
                  now() + least(lifetime_hours, ${longest}) * interval '1 hour', ends_at),
                updated_at = now(),
                renewal_audited_at = CASE
                  WHEN renewal_audited_at > now() - interval '1 hour' THEN renewal_audited_at
                  ELSE now() END
            WHERE realm_id = ${realmId} AND id = ${apiKeyId} AND expires_at > now()
            RETURNING ${apiKeyColumns(scope)}, renewal_audited_at = now() AS "isAudited"`,
      );
      if (!renewed) throw new Failure('unauthenticated', 'no API key that could be renewed');
      const { isAudited, ...key } = renewed;
      // Gateways cache when the key expires.
      await this.outbox.publish(accessChanged, { realmId });
      // A key may be renewed any number of times, which must not fill the log.
      if (scope.user === null && isAudited) {
        const subject = { api_key_id: key.id };
        const actor = auditActorOf(scope);
        await this.audit.record({ action: 'api-key.renewed', actor, realmId, subject });
      }
      return key;
    });
  }
}
