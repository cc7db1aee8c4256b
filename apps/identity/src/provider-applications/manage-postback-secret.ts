import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  operatorActor,
  postbackUserName,
  rotatePostbackSecret,
  showPostbackSecret,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.ts';
import { PostbackSecrets } from './postback-secrets.ts';

/** Shows and replaces the credentials of postbacks, for the operator. */
@Controller()
export class ManagePostbackSecret {
  constructor(
    private readonly secrets: PostbackSecrets,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(showPostbackSecret)
  async show({
    applicationId,
  }: InputOf<typeof showPostbackSecret>): Promise<ReplyOf<typeof showPostbackSecret>> {
    const application = await this.secrets.applicationWithSecret(applicationId);
    return { userName: postbackUserName, password: this.secrets.open(application) };
  }

  /** @throws {Failure} `not-found` */
  @HandleRequest(rotatePostbackSecret)
  rotate({
    applicationId,
  }: InputOf<typeof rotatePostbackSecret>): Promise<ReplyOf<typeof rotatePostbackSecret>> {
    return this.database.transaction(async () => {
      const { realmId, secret } = await this.secrets.replace(applicationId);
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
}
