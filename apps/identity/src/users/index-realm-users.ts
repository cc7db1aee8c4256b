import { type InputOf } from '#libs/bus';
import { type indexRealmUsers, type Page, type RealmUserRecord } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealm } from './realm-user-access.ts';
import { realmUserColumns, realmUserRecord, type RealmUserRow } from './realm-user-record.ts';

/** Realm user index (api-v2.md, Realm user), page by page in the order of ids. */
@Injectable()
export class IndexRealmUsers {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  async run(input: InputOf<typeof indexRealmUsers>): Promise<Page<RealmUserRecord>> {
    const { scope, filters, cursor, limit } = input;
    requireRealm(scope);
    const rows = await this.database.query<RealmUserRow>(
      `SELECT ${realmUserColumns}
       FROM realm_users AS ru JOIN users AS u ON u.id = ru.user_id
       WHERE ru.realm_id = $1 AND ru.id > $2
         AND ($3::text IS NULL OR lower(u.email) = lower($3))
       ORDER BY ru.id
       LIMIT $4`,
      [scope.realmId, decodeCursor(cursor), filters.email ?? null, limit + 1],
    );
    const page = pageOf(rows, limit);
    return { items: page.items.map(realmUserRecord), next: page.next };
  }
}
