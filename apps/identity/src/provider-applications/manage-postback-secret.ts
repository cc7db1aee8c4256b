import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  Failure,
  operatorActor,
  postbackUserName,
  rotatePostbackSecret,
  showPostbackSecret,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { postbackSecretPurpose, Sealing } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { AuditLog } from '../audit/audit-log.ts';
import { newPostbackSecret } from './postback-secrets.ts';

const applicationRow = z.object({ appId: z.string(), realmId: z.number(), sealed: z.string() });

/** Shows and replaces the credentials of postbacks, for the operator. */
@Controller()
export class ManagePostbackSecret {
  constructor(
    private readonly sealing: Sealing,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(showPostbackSecret)
  async show({
    applicationId,
  }: InputOf<typeof showPostbackSecret>): Promise<ReplyOf<typeof showPostbackSecret>> {
    const { appId, sealed } = await this.find(applicationId);
    const password = this.sealing.open(sealed, postbackSecretPurpose(appId));
    return { userName: postbackUserName, password };
  }

  /** @throws {Failure} `not-found` */
  @HandleRequest(rotatePostbackSecret)
  rotate({
    applicationId,
  }: InputOf<typeof rotatePostbackSecret>): Promise<ReplyOf<typeof rotatePostbackSecret>> {
    return this.database.transaction(async () => {
      const { appId, realmId } = await this.find(applicationId);
      const { secret, sealed, hash } = newPostbackSecret(this.sealing, appId);
      await this.database.execute(
        sql`UPDATE provider_applications
            SET sealed_postback_secret = ${sealed}, postback_secret_hash = ${hash}
            WHERE id = ${applicationId}`,
      );
      await this.outbox.publish(accessChanged, { realmId });
      await this.audit.record({
        action: 'application.postback-rotated',
        actor: operatorActor,
        realmId,
        subject: { application_id: applicationId },
      });
      return { userName: postbackUserName, password: secret };
    });
  }

  private async find(id: number): Promise<z.output<typeof applicationRow>> {
    const application = await this.database.maybeOne(
      applicationRow,
      sql`SELECT app_id AS "appId", realm_id AS "realmId", sealed_postback_secret AS sealed
          FROM provider_applications WHERE id = ${id}`,
    );
    if (!application) throw new Failure('not-found', `no provider application ${id}`);
    return application;
  }
}
