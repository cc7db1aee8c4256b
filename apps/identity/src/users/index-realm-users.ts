import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { indexRealmUsers } from '@registrar/contracts';
import { Database, decodeCursor, join, sql, toPage } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { realmUserColumns, realmUserRow, toRealmUserRecord } from './realm-user-record.ts';

/** Lists the users of the realm in the order of their ids (contract/realm-users#index). */
@Injectable()
export class IndexRealmUsers {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  @HandleRequest(indexRealmUsers)
  async index(input: InputOf<typeof indexRealmUsers>): Promise<ReplyOf<typeof indexRealmUsers>> {
    const { scope, filters, cursor, limit } = input;
    requireRealmAccess(scope);
    const conditions = [
      sql`ru.realm_id = ${scope.realmId}`,
      sql`ru.id > ${decodeCursor(cursor)}`,
      ...(filters.email === undefined ? [] : [sql`lower(u.email) = lower(${filters.email})`]),
    ];
    const rows = await this.database.many(
      realmUserRow,
      sql`SELECT ${realmUserColumns}
          FROM realm_users AS ru JOIN users AS u ON u.id = ru.user_id
          WHERE ${join(conditions, ' AND ')}
          ORDER BY ru.id
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(toRealmUserRecord), next };
  }
}
