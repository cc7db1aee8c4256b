/**
 * SQL condition on a row of registrations: it counts as one of its course
 * (contract/courses#registration-count). Clients see it, and it is neither inactive nor deleted.
 * The baseline migration uses it: from 0.1.0 on, a change needs a migration of its own.
 */
export const isCounted = (row: string): string =>
  `(${row}.settle_after IS NULL AND ${row}.active AND ${row}.deleted IS NULL)`;

/** SQL of the day on which a row of registrations was created: UTC. The baseline migration uses it. */
export const createdOn = (row: string): string => `(${row}.created_at AT TIME ZONE 'UTC')::date`;
