import { CourseProviderError } from '@registrar/course-provider';
import { type Database, sql } from '@registrar/persistence';
import { type RegistrationKey } from './registration-key.ts';

/**
 * Records a failed call of the course provider that a client has asked for: the code and the message of
 * the provider's error (contract/registrations#provider-errors). Other errors are not the provider's.
 */
export async function recordProviderFault(
  database: Database,
  { id, applicationId }: RegistrationKey,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CourseProviderError)) return;
  const { providerCode, providerMessage } = error.fault;
  await database.execute(
    sql`UPDATE registrations
        SET provider_errcode = ${providerCode}, provider_error_message = ${providerMessage},
            updated_at = now()
        WHERE provider_application_id = ${applicationId} AND id = ${id}`,
  );
}
