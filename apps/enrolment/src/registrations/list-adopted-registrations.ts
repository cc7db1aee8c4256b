import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listAdoptedRegistrations } from '@registrar/contracts';
import {
  customPlan,
  Database,
  decodeCursor,
  sql,
  timestampOf,
  toPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const adoptedRow = listAdoptedRegistrations.item.extend({ id: z.number() });

/** Lists what crawls found at course providers and this service did not know, for the operator. */
@Controller()
export class ListAdoptedRegistrations {
  constructor(private readonly database: Database) {}

  @HandleRequest(listAdoptedRegistrations)
  async list({
    since,
    cursor,
    limit,
  }: InputOf<typeof listAdoptedRegistrations>): Promise<ReplyOf<typeof listAdoptedRegistrations>> {
    // Every other registration has a user.
    const rows = await this.database.many(
      adoptedRow,
      sql`SELECT id, ${timestampOf(sql`created_at`)} AS adopted_at,
                 provider_application_id AS application,
                 registration_guid, course_guid, learner_id
          FROM registrations
          WHERE user_id IS NULL AND created_at >= ${since} AND id > ${decodeCursor(cursor)}
          ORDER BY id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(({ id: _, ...found }) => found), next };
  }
}
