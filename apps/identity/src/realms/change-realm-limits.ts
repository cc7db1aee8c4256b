import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  changeRealmLimits,
  Failure,
  findRealmLimits,
  operatorActor,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.ts';
import { Realm } from './realm.entity.ts';

/** Reads and changes the limits of a realm that differ from the defaults. */
@Controller()
export class ChangeRealmLimits {
  constructor(
    @InjectRepository(Realm) private readonly realms: Repository<Realm>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(findRealmLimits)
  async find({
    realmGuid,
  }: InputOf<typeof findRealmLimits>): Promise<ReplyOf<typeof findRealmLimits>> {
    const realm = await this.realms.findOneBy({ guid: realmGuid });
    if (!realm) throw new Failure('not-found', 'no such realm');
    return { limits: realm.limits ?? {} };
  }

  /** @throws {Failure} `not-found` */
  @HandleRequest(changeRealmLimits)
  async change({
    realmGuid,
    changes,
    fromDefaults,
  }: InputOf<typeof changeRealmLimits>): Promise<ReplyOf<typeof changeRealmLimits>> {
    return this.database.transaction(async () => {
      const realm = await this.realms.findOne({
        where: { guid: realmGuid },
        lock: { mode: 'pessimistic_write' },
      });
      if (!realm) throw new Failure('not-found', 'no such realm');
      const limits = { ...(fromDefaults ? {} : realm.limits), ...changes };
      await this.realms.update(realm.id, { limits });
      await this.outbox.publish(accessChanged, { realmId: realm.id });
      await this.audit.record({
        action: 'realm.limits-changed',
        actor: operatorActor,
        realmId: realm.id,
        subject: { from_defaults: fromDefaults, ...changes },
      });
      return { limits };
    });
  }
}
