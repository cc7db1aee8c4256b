import { type Sql, sql } from '@registrar/persistence';

/** How many applications one claim serves, and how many registrations of each. */
const applicationLimit = 10;
export const limitPerApplication = 20;

/**
 * SQL of an array of the ids of registrations to claim, locked: some of each application, so that a
 * slow or failing provider delays no other. An array is computed once, where a joined subquery may be
 * computed, and lock another batch, for each row.
 *
 * @param isDue condition on `registrations`
 * @param dueTime the column that orders those of an application
 * @param isServed condition on `a.provider_application_id`
 */
export const dueByApplication = (isDue: Sql, dueTime: Sql, isServed: Sql): Sql => sql`ARRAY(
  SELECT due.id
  FROM (
    SELECT provider_application_id FROM (
      SELECT DISTINCT provider_application_id FROM registrations WHERE ${isDue}
    ) AS a
    WHERE ${isServed}
    ORDER BY random()
    LIMIT ${applicationLimit}
  ) AS a CROSS JOIN LATERAL (
    SELECT id FROM registrations
    WHERE registrations.provider_application_id = a.provider_application_id AND ${isDue}
    ORDER BY ${dueTime} NULLS FIRST, id
    LIMIT ${limitPerApplication}
    FOR UPDATE SKIP LOCKED
  ) AS due
)`;
