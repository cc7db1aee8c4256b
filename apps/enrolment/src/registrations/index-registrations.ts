import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  indexRegistrations,
  listedRegistrationRecord,
  type ListedRegistrationRecord,
  type Page,
} from '@registrar/contracts';
import {
  boundedRows,
  Database,
  decodeCursor,
  sql,
  timestampOf,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import {
  hostedCourses,
  listedRegistrationColumns,
  registrationBytes,
  syncedAt,
} from './registration-record.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

const listedRow = listedRegistrationRecord.extend({ more: z.boolean() });

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
      sql`SELECT ${listedRegistrationColumns}, ${timestampOf(syncedAt)} AS synced_at, r.active, r.more
          FROM (${boundedRows(listed, registrationBytes, input)}) AS r ${hostedCourses}
          ORDER BY r.id`,
    );
    return toBoundedPage(rows);
  }
}
