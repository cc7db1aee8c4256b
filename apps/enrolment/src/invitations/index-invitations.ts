import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { indexInvitations } from '@registrar/contracts';
import { Database, decodeCursor, join, sql, toPage } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { invitationColumns, invitationRow, toInvitationRecord } from './invitation-record.ts';

/** Invitation index (contract/invitations#index), page by page in the order of ids. */
@Injectable()
export class IndexInvitations {
  constructor(private readonly database: Database) {}

  @HandleRequest(indexInvitations)
  async index(input: InputOf<typeof indexInvitations>): Promise<ReplyOf<typeof indexInvitations>> {
    const { scope, filters, cursor, limit } = input;
    requireRealmAccess(scope);
    const conditions = [
      sql`i.realm_id = ${scope.realmId}`,
      sql`i.id > ${decodeCursor(cursor)}`,
      ...(filters.id === undefined ? [] : [sql`i.id = ${filters.id}`]),
      ...(filters.name === undefined ? [] : [sql`i.name = ${filters.name}`]),
    ];
    const rows = await this.database.many(
      invitationRow,
      sql`SELECT ${invitationColumns}
          FROM invitations AS i
          WHERE ${join(conditions, ' AND ')}
          ORDER BY i.id
          LIMIT ${limit + 1}`,
    );
    const page = toPage(rows, limit);
    return { items: page.items.map(toInvitationRecord), next: page.next };
  }
}
