import { Database, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { LoadRegistrationRecords } from './load-registration-records.ts';
import type { RegistrationDetails } from './registration-details.ts';
import type { RegistrationRecord } from './registration-record.ts';
import { type RegistrationRow, registrationRow, selectRegistrations } from './registration-row.ts';

/** Reads one registration of an application. */
@Injectable()
export class LoadRegistration {
  constructor(
    private readonly database: Database,
    private readonly records: LoadRegistrationRecords,
  ) {}

  /** @throws {NotFoundException} if the application has no such registration */
  async load(
    application: AuthenticatedApplication,
    registrationId: string,
    details: RegistrationDetails,
  ): Promise<RegistrationRecord> {
    const row = await this.loadRow(application, registrationId);
    const [record] = await this.records.load(application, [row], details);
    if (!record) throw registrationNotFound(registrationId);
    return record;
  }

  /** @throws {NotFoundException} if the application has no such registration */
  async loadRow(
    application: AuthenticatedApplication,
    registrationId: string,
  ): Promise<RegistrationRow> {
    const row = await this.database.maybeOne(
      registrationRow,
      sql`${selectRegistrations}
          WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`,
    );
    if (!row) throw registrationNotFound(registrationId);
    return row;
  }
}

export const registrationNotFound = (registrationId: string) =>
  new NotFoundException(`No registration has the id '${registrationId}'.`);
