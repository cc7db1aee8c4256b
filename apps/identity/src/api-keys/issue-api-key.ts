import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  Failure,
  issueApiKey,
  operatorActor,
  toTimestamp,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ProviderApplication } from '../provider-applications/provider-application.entity.ts';
import { FindRealm } from '../realms/find-realm.ts';
import { InsertApiKey } from './insert-api-key.ts';

/** Creates an API key for the operator, who names the realm and needs no secret of it. */
@Controller()
export class IssueApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly findRealm: FindRealm,
    private readonly insertApiKey: InsertApiKey,
    @InjectRepository(ProviderApplication)
    private readonly applications: Repository<ProviderApplication>,
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
        ...{ actor, realmId, applicationId, userEmail, permissions, lifetimeHours },
      });
      await this.outbox.publish(accessChanged, { realmId });
      const summary = {
        id: key.row.id,
        realm_guid: realmGuid,
        course_provider_id: applicationId,
        user_email: key.user?.email ?? null,
        permissions,
        created_at: toTimestamp(key.row.created_at),
        last_used_at: null,
        expires_at: toTimestamp(key.row.expires_at),
      };
      return { summary, token: key.token };
    });
  }

  private async requireApplication(realmId: number, id: number): Promise<void> {
    if (await this.applications.existsBy({ realmId, id })) return;
    throw new Failure('not-found', `the realm has no provider application ${id}`);
  }
}
