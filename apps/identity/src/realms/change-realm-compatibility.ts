import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  accessChanged,
  changeRealmCompatibility,
  Failure,
  operatorActor,
  type RealmCompatibility,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.ts';
import { Realm } from './realm.entity.ts';

type Input = InputOf<typeof changeRealmCompatibility>;

/** Changes which clients of earlier services a realm serves beside the contract (contract/compatibility#setting). */
@Controller()
export class ChangeRealmCompatibility {
  constructor(
    @InjectRepository(Realm) private readonly realms: Repository<Realm>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {}

  /** @throws {Failure} `not-found`, `invalid` */
  @HandleRequest(changeRealmCompatibility)
  change(input: Input): Promise<ReplyOf<typeof changeRealmCompatibility>> {
    return this.database.transaction(async () => {
      const realm = await this.realms.findOne({
        where: { guid: input.realmGuid },
        lock: { mode: 'pessimistic_write' },
      });
      if (!realm) throw new Failure('not-found', 'no such realm');
      const compatibility = changed(realm.compatibility, input);
      await this.realms.update(realm.id, { compatibility });
      await this.outbox.publish(accessChanged, { realmId: realm.id });
      await this.audit.record({
        action: 'realm.compatibility-changed',
        actor: operatorActor,
        realmId: realm.id,
        subject: {
          compatibility: compatibility?.clients ?? null,
          user_licenses: compatibility?.userLicenses ?? false,
        },
      });
      return { compatibility };
    });
  }
}

/** @throws {Failure} `invalid` for user licenses without clients that create them */
function changed(
  stored: RealmCompatibility | null,
  { clients: wanted, userLicenses }: Input,
): RealmCompatibility | null {
  const clients = wanted ?? stored?.clients ?? 'none';
  if (clients !== 'none') {
    return { clients, userLicenses: userLicenses ?? stored?.userLicenses ?? false };
  }
  if (userLicenses) throw new Failure('invalid', 'user licenses need the compatibility bright');
  return null;
}
