import { sql } from '@registrar/persistence';

/**
 * SQL condition on `registrations`: their realm is not disabled. Background work calls no course
 * provider for a disabled realm (contract/access#disabled-realm); it resumes when the realm is enabled.
 * The table `realms` has no column `realm_id`, so the name means that of the registration.
 */
export const isOfEnabledRealm = sql`
  realm_id NOT IN (SELECT id FROM realms WHERE launches_end_before = 'infinity')`;
