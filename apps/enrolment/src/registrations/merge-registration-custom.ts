import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  Failure,
  mergeCustom,
  mergeRegistrationCustom,
  type RegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { Database, join, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedRegistrations } from '../access-rules.ts';
import { registrationColumns } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

const lockedRow = z.object({ id: z.number(), custom: z.json().nullable() });

/** Merges values into the custom data of a registration (contract/registrations#gcustom). */
@Controller()
export class MergeRegistrationCustom {
  constructor(private readonly database: Database) {}

  /**
   * Changes inactive registrations too.
   *
   * @throws {Failure} `not-found` when the scope reaches no such registration; `invalid`
   */
  @HandleRequest(mergeRegistrationCustom)
  async merge(input: InputOf<typeof mergeRegistrationCustom>): Promise<RegistrationRecord> {
    const { scope, registrationGuid } = input;
    const isReached = join(reachedRegistrations(scope), ' AND ');
    const selected = selectRegistrations(scope, { registrationGuid }, { includeInactive: true });
    const row = await this.database.transaction(async () => {
      // Locked, so that concurrent merges lose nothing.
      const registration = await this.database.maybeOne(
        lockedRow,
        sql`SELECT r.id, r.custom FROM registrations AS r
            WHERE ${isReached}
              AND r.id = (SELECT id FROM (${selected}) AS selected ORDER BY id LIMIT 1)
            FOR UPDATE`,
      );
      if (!registration) throw new Failure('not-found', 'no such registration for this access');
      const merged = mergeCustom(registration.custom, input);
      return this.database.one(
        registrationRecord,
        sql`UPDATE registrations AS r
            SET custom = ${JSON.stringify(merged)}::json, updated_at = now()
            WHERE ${isReached} AND r.id = ${registration.id}
            RETURNING ${registrationColumns}`,
      );
    });
    return row;
  }
}
