import { Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Finds the realm that an operator names. */
@Injectable()
export class FindRealm {
  constructor(private readonly database: Database) {}

  /** @returns its id @throws {Failure} `not-found` */
  async byGuid(realmGuid: string): Promise<number> {
    const [realm] = await this.database.query<{ id: number }>(
      'SELECT id FROM realms WHERE guid = $1',
      [realmGuid],
    );
    if (!realm) throw new Failure('not-found', 'no such realm');
    return realm.id;
  }
}
