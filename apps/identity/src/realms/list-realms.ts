import { type InputOf, type ReplyOf } from '#libs/bus';
import { type listRealms, toTimestamp } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

type Listed = ReplyOf<typeof listRealms>;
type RealmRow = Omit<Listed['items'][number], 'created_at'> & { readonly created_at: Date };

/** Every realm of the installation, for its operator. */
@Injectable()
export class ListRealms {
  constructor(private readonly database: Database) {}

  async run({ cursor, limit }: InputOf<typeof listRealms>): Promise<Listed> {
    const rows = await this.database.query<RealmRow>(
      `SELECT r.id, r.guid, r.name, r.created_at,
              (SELECT count(*)::integer FROM provider_applications WHERE realm_id = r.id)
                AS provider_applications,
              (SELECT count(*)::integer FROM realm_users WHERE realm_id = r.id) AS users
       FROM realms AS r
       WHERE r.id > $1
       ORDER BY r.id
       LIMIT $2`,
      [decodeCursor(cursor), limit + 1],
    );
    const { items, next } = pageOf(rows, limit);
    return {
      items: items.map((row) => ({ ...row, created_at: toTimestamp(row.created_at) })),
      next,
    };
  }
}
