import { type InputOf, Outbox, type ReplyOf } from '#libs/bus';
import { accessChanged, Failure, type issueApiKey, toTimestamp } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';
import { MintApiKey } from './mint-api-key.ts';

/** Makes an api key for the operator, who names the realm and needs no secret of it. */
@Injectable()
export class IssueApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly realms: FindRealm,
    private readonly mintApiKey: MintApiKey,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm, or an application that is not of it */
  run(input: InputOf<typeof issueApiKey>): Promise<ReplyOf<typeof issueApiKey>> {
    const { realmGuid, applicationId, userEmail } = input;
    return this.database.transaction(async () => {
      const realmId = await this.realms.byGuid(realmGuid);
      if (applicationId !== null) await this.mustHold(realmId, applicationId);
      const key = await this.mintApiKey.run({ realmId, applicationId, userEmail });
      await this.outbox.publish(accessChanged, { realmId });
      const summary = {
        id: key.id,
        realm_guid: realmGuid,
        course_provider_id: applicationId,
        user_email: key.user?.email ?? null,
        created_at: toTimestamp(key.createdAt),
        expires_at: toTimestamp(key.expiresAt),
      };
      return { summary, token: key.token };
    });
  }

  private async mustHold(realmId: number, applicationId: number): Promise<void> {
    const held = await this.database.query(
      'SELECT FROM provider_applications WHERE realm_id = $1 AND id = $2',
      [realmId, applicationId],
    );
    if (held.length === 0) {
      throw new Failure('not-found', `the realm has no provider application ${applicationId}`);
    }
  }
}
