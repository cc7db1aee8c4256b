import { type InputOf } from '#libs/bus';
import { type indexRegistrations, type ListedRegistrationRecord, type Page } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import {
  registrationColumns,
  registrationRecord,
  type RegistrationRow,
} from './registration-record.ts';
import { querySelected, selectRegistrations } from './selection.ts';

/** Registration index (api-v2.md, Registration: index), page by page in the order of ids. */
@Injectable()
export class IndexRegistrations {
  constructor(private readonly database: Database) {}

  async run(input: InputOf<typeof indexRegistrations>): Promise<Page<ListedRegistrationRecord>> {
    const { scope, filters } = input;
    const selected = selectRegistrations(scope, filters, input);
    const count = selected.parameters.length;
    const rows = await querySelected<RegistrationRow & { active: boolean }>(
      this.database,
      filters,
      `SELECT ${registrationColumns}, r.active
       FROM (${selected.sql}) AS r
       WHERE r.id > $${count + 1}
       ORDER BY r.id
       LIMIT $${count + 2}`,
      [...selected.parameters, decodeCursor(input.cursor), input.limit + 1],
    );
    const page = pageOf(rows, input.limit);
    return {
      items: page.items.map((row) => ({ ...registrationRecord(row), active: row.active })),
      next: page.next,
    };
  }
}
