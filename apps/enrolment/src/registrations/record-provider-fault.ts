import { CourseProviderError } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { type RegistrationKey } from './registration-key.ts';

/** Records failed calls of the course provider that a client has asked for (contract/registrations#provider-errors). */
@Injectable()
export class RecordProviderFault {
  constructor(private readonly database: Database) {}

  /** Stores the code and the message of a provider's error; other errors are not the provider's. */
  async record({ id, applicationId }: RegistrationKey, error: unknown): Promise<void> {
    if (!(error instanceof CourseProviderError)) return;
    const { providerCode, providerMessage } = error.fault;
    await this.database.execute(
      sql`UPDATE registrations
          SET provider_errcode = ${providerCode}, provider_error_message = ${providerMessage},
              updated_at = now()
          WHERE provider_application_id = ${applicationId} AND id = ${id}`,
    );
  }
}
