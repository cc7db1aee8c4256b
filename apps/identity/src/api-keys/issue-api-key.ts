import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, Failure, issueApiKey, operatorActor } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { FindRealm } from '../realms/find-realm.ts';
import { InsertApiKey } from './insert-api-key.ts';

const idRow = z.object({ id: z.number() });

/** Creates an API key for the operator, who names the realm and needs no secret of it. */
@Controller()
export class IssueApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly findRealm: FindRealm,
    private readonly insertApiKey: InsertApiKey,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm, or an application of another realm */
  @HandleRequest(issueApiKey)
  issue(input: InputOf<typeof issueApiKey>): Promise<ReplyOf<typeof issueApiKey>> {
    const { realmGuid, applicationId, userEmail, permissions, lifetimeHours } = input;
    return this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      if (applicationId !== null) await this.requireApplication(realmId, applicationId);
      const actor = operatorActor;
      const key = await this.insertApiKey.insert({
        actor,
        realmId,
        applicationId,
        userEmail,
        permissions,
        lifetimeHours,
      });
      await this.outbox.publish(accessChanged, { realmId });
      const summary = {
        id: key.record.id,
        realm_guid: realmGuid,
        course_provider_id: applicationId,
        user_email: key.user?.email ?? null,
        permissions,
        created_at: key.record.created_at,
        last_used_at: null,
        expires_at: key.record.expires_at,
      };
      return { summary, token: key.token };
    });
  }

  private async requireApplication(realmId: number, id: number): Promise<void> {
    const application = await this.database.maybeOne(
      idRow,
      sql`SELECT id FROM provider_applications WHERE realm_id = ${realmId} AND id = ${id}`,
    );
    if (!application) {
      throw new Failure('not-found', `the realm has no provider application ${id}`);
    }
  }
}
