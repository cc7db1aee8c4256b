import { type InputOf } from '#libs/bus';
import { type indexInvitations, type InvitationRecord, type Page } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { invitationColumns, invitationRecord, type InvitationRow } from './invitation-record.ts';
import { requireRealm } from './realm-only.ts';

/** Invitation index (decision 24), page by page in the order of ids. */
@Injectable()
export class IndexInvitations {
  constructor(private readonly database: Database) {}

  async run(input: InputOf<typeof indexInvitations>): Promise<Page<InvitationRecord>> {
    const { scope, filters, cursor, limit } = input;
    requireRealm(scope);
    const rows = await this.database.query<InvitationRow>(
      `SELECT ${invitationColumns}
       FROM invitations AS i
       WHERE i.realm_id = $1 AND i.id > $2
         AND ($3::integer IS NULL OR i.id = $3) AND ($4::text IS NULL OR i.name = $4)
       ORDER BY i.id
       LIMIT $5`,
      [scope.realmId, decodeCursor(cursor), filters.id ?? null, filters.name ?? null, limit + 1],
    );
    const page = pageOf(rows, limit);
    return { items: page.items.map(invitationRecord), next: page.next };
  }
}
