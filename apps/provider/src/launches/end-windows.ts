import { type Sql, sql } from '@registrar/persistence';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';

/** SQL that ends the open course windows of a registration of an application. */
export const endWindows = (application: AuthenticatedApplication, registration: number): Sql => sql`
  UPDATE launches AS l SET expires_at = now() FROM registrations AS r
  WHERE l.registration = r.id AND r.id = ${registration} AND ${ownedBy(application, 'r')}
    AND l.expires_at > now()`;
