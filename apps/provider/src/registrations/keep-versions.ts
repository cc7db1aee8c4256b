import { type Sql, sql } from '@registrar/persistence';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';

/**
 * SQL that locks the course of a registration: no version of it is deleted until the transaction ends. Comes before a lock
 * of the registration, as in the deletion of a version.
 */
export const keepVersions = (application: AuthenticatedApplication, registrationId: string): Sql =>
  sql`SELECT FROM registrations AS r JOIN courses AS c ON c.id = r.course
      WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId} FOR KEY SHARE OF c`;
