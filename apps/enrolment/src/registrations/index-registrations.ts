import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  indexRegistrations,
  type ListedRegistrationRecord,
  type Page,
  toTimestamp,
} from '@registrar/contracts';
import { boundedRows, Database, decodeCursor, sql, toBoundedPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import {
  registrationBytes,
  registrationColumns,
  registrationRow,
  syncedAt,
  toRegistrationRecord,
} from './registration-record.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

const listedRow = registrationRow.extend({
  synced_at: z.date().nullable(),
  active: z.boolean(),
  more: z.boolean(),
});

/** Registration index, page by page in the order of ids (contract/registrations#index). */
@Controller()
export class IndexRegistrations {
  constructor(private readonly database: Database) {}

  @HandleRequest(indexRegistrations)
  async index(input: InputOf<typeof indexRegistrations>): Promise<Page<ListedRegistrationRecord>> {
    const { scope, filters } = input;
    const listed = sql`
      SELECT listed.* FROM (${selectRegistrations(scope, filters, input)}) AS listed
      WHERE listed.id > ${decodeCursor(input.cursor)}`;
    const rows = await querySelected(
      this.database,
      scope,
      filters,
      listedRow,
      sql`SELECT ${registrationColumns}, ${syncedAt} AS synced_at, r.active, r.more
          FROM (${boundedRows(listed, registrationBytes, input)}) AS r
          ORDER BY r.id`,
    );
    const page = toBoundedPage(rows);
    return {
      items: page.items.map((row) => ({
        ...toRegistrationRecord(row),
        synced_at: row.synced_at && toTimestamp(row.synced_at),
        active: row.active,
      })),
      next: page.next,
    };
  }
}
