import { type InputOf } from '#libs/bus';
import { Failure, type RegistrationRecord, type updateRegistration } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import {
  registrationColumns,
  registrationRecord,
  type RegistrationRow,
} from './registration-record.ts';
import { selectRegistrations } from './selection.ts';

/** Registration update (decision 22): sets the user-defined data, of inactive ones too. */
@Injectable()
export class UpdateRegistration {
  constructor(private readonly database: Database) {}

  async run(input: InputOf<typeof updateRegistration>): Promise<RegistrationRecord> {
    const { scope, registrationGuid, custom } = input;
    const selected = selectRegistrations(scope, { registrationGuid }, { includeInactive: true });
    const [row] = await this.database.query<RegistrationRow>(
      `UPDATE registrations AS r
       SET custom = $${selected.parameters.length + 1}::json, updated_at = now()
       FROM (SELECT id FROM (${selected.sql}) AS named ORDER BY id LIMIT 1) AS found
       WHERE r.id = found.id
       RETURNING ${registrationColumns}`,
      [...selected.parameters, custom === null ? null : JSON.stringify(custom)],
    );
    if (!row) throw new Failure('not-found', 'no such registration for this access');
    return registrationRecord(row);
  }
}
