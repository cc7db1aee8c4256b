import { HandleRequest, type InputOf } from '@registrar/bus';
import { indexRegistrations, type ListedRegistrationRecord, type Page } from '@registrar/contracts';
import { Database, decodeCursor, sql, toPage } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import {
  registrationColumns,
  registrationRow,
  toRegistrationRecord,
} from './registration-record.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

const listedRow = registrationRow.extend({ active: z.boolean() });

/** Registration index, page by page in the order of ids (contract/registrations#index). */
@Injectable()
export class IndexRegistrations {
  constructor(private readonly database: Database) {}

  @HandleRequest(indexRegistrations)
  async index(input: InputOf<typeof indexRegistrations>): Promise<Page<ListedRegistrationRecord>> {
    const { scope, filters } = input;
    const rows = await querySelected(
      this.database,
      filters,
      listedRow,
      sql`SELECT ${registrationColumns}, r.active
          FROM (${selectRegistrations(scope, filters, input)}) AS r
          WHERE r.id > ${decodeCursor(input.cursor)}
          ORDER BY r.id
          LIMIT ${input.limit + 1}`,
    );
    const page = toPage(rows, input.limit);
    return {
      items: page.items.map((row) => ({ ...toRegistrationRecord(row), active: row.active })),
      next: page.next,
    };
  }
}
