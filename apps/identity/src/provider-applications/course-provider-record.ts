import { sql, timestampOf } from '@registrar/persistence';

/**
 * The columns of a course provider record (contract/course-providers#record), from
 * `provider_applications AS a`. None is secret.
 */
export const courseProviderColumns = sql`a.id, a.name, a.app_id AS sc_app_id, a.base_url AS url,
  a.realm_id, ${timestampOf(sql`a.created_at`)} AS created_at,
  ${timestampOf(sql`a.updated_at`)} AS updated_at`;
