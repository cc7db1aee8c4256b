import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { accessChanged, operatorActor, rotateRealmSecret } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { hashSecret, randomSecret } from '../access/secrets.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { FindRealm } from './find-realm.ts';
import { Realm } from './realm.entity.ts';

/**
 * Replaces the secret key of a realm. The old key is invalid at once; API keys that were created
 * with it stay valid.
 */
@Injectable()
export class RotateRealmSecret {
  constructor(
    @InjectRepository(Realm) private readonly realms: Repository<Realm>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly findRealm: FindRealm,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(rotateRealmSecret)
  async rotate({
    realmGuid,
  }: InputOf<typeof rotateRealmSecret>): Promise<ReplyOf<typeof rotateRealmSecret>> {
    const realmSecretKey = randomSecret();
    await this.database.transaction(async () => {
      const realmId = await this.findRealm.idByGuid(realmGuid);
      await this.realms.update(realmId, { secretHash: hashSecret(realmSecretKey) });
      await this.outbox.publish(accessChanged, { realmId });
      await this.audit.record({ action: 'realm.secret-rotated', actor: operatorActor, realmId });
    });
    return { realmGuid, realmSecretKey };
  }
}
