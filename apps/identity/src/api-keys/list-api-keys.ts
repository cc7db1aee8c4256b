import { type InputOf, type ReplyOf } from '#libs/bus';
import { type listApiKeys, toTimestamp } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { FindRealm } from '../realms/find-realm.ts';

type Listed = ReplyOf<typeof listApiKeys>;
type ApiKeyRow = Omit<Listed['items'][number], 'created_at' | 'expires_at'> & {
  readonly created_at: Date;
  readonly expires_at: Date;
};

/** The api keys that have not expired, of a realm or of all, for the operator. */
@Injectable()
export class ListApiKeys {
  constructor(
    private readonly database: Database,
    private readonly realms: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  async run({ realmGuid, cursor, limit }: InputOf<typeof listApiKeys>): Promise<Listed> {
    const realmId = realmGuid === null ? null : await this.realms.byGuid(realmGuid);
    const rows = await this.database.query<ApiKeyRow>(
      `SELECT k.id, r.guid AS realm_guid, k.provider_application_id AS course_provider_id,
              u.email AS user_email, k.created_at, k.expires_at
       FROM api_keys AS k
       JOIN realms AS r ON r.id = k.realm_id
       LEFT JOIN users AS u ON u.id = k.user_id
       WHERE ($1::integer IS NULL OR k.realm_id = $1) AND k.id > $2 AND k.expires_at > now()
       ORDER BY k.id
       LIMIT $3`,
      [realmId, decodeCursor(cursor), limit + 1],
    );
    const { items, next } = pageOf(rows, limit);
    return {
      items: items.map((row) => ({
        ...row,
        created_at: toTimestamp(row.created_at),
        expires_at: toTimestamp(row.expires_at),
      })),
      next,
    };
  }
}
