import { Failure } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Realm } from './realm.entity.ts';

/** Finds the realm that an operator names. */
@Injectable()
export class FindRealm {
  constructor(@InjectRepository(Realm) private readonly realms: Repository<Realm>) {}

  /** @throws {Failure} `not-found` */
  async idByGuid(guid: string): Promise<number> {
    const realm = await this.realms.findOne({ select: { id: true }, where: { guid } });
    if (!realm) throw new Failure('not-found', 'no such realm');
    return realm.id;
  }
}
