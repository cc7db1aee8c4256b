import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { indexInvitations } from '@registrar/contracts';
import {
  boundedRows,
  countRows,
  customPlan,
  Database,
  decodeCursor,
  join,
  sql,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { reachedInvitations, requireInvitationIndex } from '../access-rules.ts';
import * as z from 'zod';
import {
  invitationBytes,
  invitationColumns,
  invitationRow,
  toInvitationRecord,
} from './invitation-record.ts';

const listedRow = invitationRow.extend({ more: z.boolean() });

/** Invitation index (contract/invitations#index), page by page in the order of ids. */
@Controller()
export class IndexInvitations {
  constructor(private readonly database: Database) {}

  @HandleRequest(indexInvitations)
  async index(input: InputOf<typeof indexInvitations>): Promise<ReplyOf<typeof indexInvitations>> {
    const { scope, filters, cursor } = input;
    requireInvitationIndex(scope, filters);
    const conditions = [
      reachedInvitations(scope),
      ...(filters.id === undefined ? [] : [sql`i.id = ${filters.id}`]),
      ...(filters.name === undefined ? [] : [sql`i.name = ${filters.name}`]),
    ];
    const all = sql`SELECT i.* FROM invitations AS i WHERE ${join(conditions, ' AND ')}`;
    const listed = sql`${all} AND i.id > ${decodeCursor(cursor)}`;
    const [rows, total] = await Promise.all([
      this.database.many(
        listedRow,
        sql`SELECT ${invitationColumns(scope)}, i.more
            FROM (${boundedRows(listed, invitationBytes, input)}) AS i
            ORDER BY i.id ${customPlan}`,
      ),
      input.count ? countRows(this.database, scope, all) : undefined,
    ]);
    const page = toBoundedPage(rows);
    return { items: page.items.map(toInvitationRecord), next: page.next, total };
  }
}
