import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { createRealm, operatorActor } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import type { Repository } from 'typeorm';
import { hashSecret, randomSecret } from '../access/secrets.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { Realm } from './realm.entity.ts';

/** Creates a realm. The reply alone contains its secret key: only the hash is stored. */
@Controller()
export class CreateRealm {
  constructor(
    @InjectRepository(Realm) private readonly realms: Repository<Realm>,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  @HandleRequest(createRealm)
  async create({ name }: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> {
    const realmSecretKey = randomSecret();
    const secretHash = hashSecret(realmSecretKey);
    const realm = this.realms.create({ guid: randomUUID(), name, secretHash });
    await this.database.transaction(async () => {
      await this.realms.insert(realm);
      await this.audit.record({
        action: 'realm.created',
        actor: operatorActor,
        realmId: realm.id,
        subject: { name },
      });
    });
    return { realmId: realm.id, realmGuid: realm.guid, realmSecretKey };
  }
}
