import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  Failure,
  type RegistrationRecord,
  registrationRecord,
  updateRegistration,
} from '@registrar/contracts';
import { Database, join, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { reachedRegistrations } from '../access-rules.ts';
import { registrationColumns } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

/** Registration update: sets the user-defined data (contract/registrations#update-custom). */
@Controller()
export class UpdateRegistration {
  constructor(private readonly database: Database) {}

  /**
   * Updates inactive registrations too.
   *
   * @throws {Failure} `not-found` when the scope reaches no such registration
   */
  @HandleRequest(updateRegistration)
  async update(input: InputOf<typeof updateRegistration>): Promise<RegistrationRecord> {
    const { scope, registrationGuid, custom } = input;
    const selected = selectRegistrations(scope, { registrationGuid }, { includeInactive: true });
    const row = await this.database.maybeOne(
      registrationRecord,
      sql`UPDATE registrations AS r
          SET custom = ${custom === null ? null : JSON.stringify(custom)}::json, updated_at = now()
          FROM (SELECT id FROM (${selected}) AS selected ORDER BY id LIMIT 1) AS found
          WHERE ${join(reachedRegistrations(scope), ' AND ')} AND r.id = found.id
          RETURNING ${registrationColumns}`,
    );
    if (!row) throw new Failure('not-found', 'no such registration for this access');
    return row;
  }
}
