import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { indexRealmUsers, realmUserRecord } from '@registrar/contracts';
import {
  boundedRows,
  bytesOf,
  countRows,
  customPlan,
  Database,
  decodeCursor,
  join,
  sql,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { isRealmUserInScope, requireRealmAccess } from '../access-rules.ts';
import { realmUserColumns } from './realm-user-record.ts';

const listedRow = realmUserRecord.extend({ more: z.boolean() });

/** Lists the users of the realm in the order of their ids (contract/realm-users#index). */
@Controller()
export class IndexRealmUsers {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  @HandleRequest(indexRealmUsers)
  async index(input: InputOf<typeof indexRealmUsers>): Promise<ReplyOf<typeof indexRealmUsers>> {
    const { scope, filters, cursor } = input;
    requireRealmAccess(scope);
    const conditions = [
      isRealmUserInScope(scope),
      ...(filters.email === undefined ? [] : [sql`lower(ru.email) = lower(${filters.email})`]),
    ];
    const all = sql`
      SELECT ru.* FROM realm_users AS ru
      WHERE ${join(conditions, ' AND ')}`;
    const listed = sql`${all} AND ru.id > ${decodeCursor(cursor)}`;
    const [rows, total] = await Promise.all([
      this.database.many(
        listedRow,
        sql`SELECT ${realmUserColumns}, ru.more
            FROM (${boundedRows(listed, bytesOf(sql`page.custom`), input)}) AS ru
            ORDER BY ru.id ${customPlan}`,
      ),
      input.count ? countRows(this.database, scope, all) : undefined,
    ]);
    return { ...toBoundedPage(rows), total };
  }
}
