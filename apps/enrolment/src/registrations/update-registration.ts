import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  Failure,
  mergeCustom,
  mergeRegistrationCustom,
  type RegistrationRecord,
  registrationRecord,
  updateRegistration,
} from '@registrar/contracts';
import { Database, join, sql, type Sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedRegistrations } from '../access-rules.ts';
import { registrationColumns } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

type Target = Pick<InputOf<typeof updateRegistration>, 'scope' | 'registrationGuid'>;

const lockedRow = z.object({ custom: z.json().nullable() });

/** Changes the user-defined data of registrations, inactive ones included. */
@Controller()
export class UpdateRegistration {
  constructor(private readonly database: Database) {}

  /**
   * Registration update: sets the data (contract/registrations#update-custom).
   *
   * @throws {Failure} `not-found` when the scope reaches no such registration
   */
  @HandleRequest(updateRegistration)
  update(input: InputOf<typeof updateRegistration>): Promise<RegistrationRecord> {
    return this.setCustom(input, input.custom);
  }

  /**
   * Merges values into the data (contract/registrations#gcustom).
   *
   * @throws {Failure} `not-found` when the scope reaches no such registration; `invalid`
   */
  @HandleRequest(mergeRegistrationCustom)
  merge(input: InputOf<typeof mergeRegistrationCustom>): Promise<RegistrationRecord> {
    return this.database.transaction(async () => {
      // Locked, so that concurrent merges lose nothing.
      const registration = await this.database.maybeOne(
        lockedRow,
        sql`SELECT r.custom FROM registrations AS r WHERE ${isTarget(input)} FOR UPDATE`,
      );
      if (!registration) throw notFound();
      return this.setCustom(input, mergeCustom(registration.custom, input));
    });
  }

  private async setCustom(target: Target, custom: unknown): Promise<RegistrationRecord> {
    const row = await this.database.maybeOne(
      registrationRecord,
      sql`UPDATE registrations AS r
          SET custom = ${custom === null ? null : JSON.stringify(custom)}::json, updated_at = now()
          WHERE ${isTarget(target)}
          RETURNING ${registrationColumns}`,
    );
    if (!row) throw notFound();
    return row;
  }
}

/** SQL condition on `registrations AS r`. Of those of several applications it is the oldest. */
function isTarget({ scope, registrationGuid }: Target): Sql {
  const selected = selectRegistrations(scope, { registrationGuid }, { includeInactive: true });
  return sql`${join(reachedRegistrations(scope), ' AND ')}
    AND r.id = (SELECT id FROM (${selected}) AS selected ORDER BY id LIMIT 1)`;
}

const notFound = () => new Failure('not-found', 'no such registration for this access');
