import sql, { raw, type Sql } from 'sql-template-tag';

export { empty, join, raw, type Sql } from 'sql-template-tag';
export { sql };

/**
 * SQL of a point in time as records have it: ISO 8601, UTC, with fractions of a second cut off
 * (contract/formats#timestamps). In JSON, PostgreSQL writes times so whatever its settings, in half of the
 * time of `to_char`.
 */
export const timestampOf = (time: Sql): Sql =>
  sql`substr(to_json(${time} AT TIME ZONE 'UTC')::text, 2, 19) || 'Z'`;

/** What marks the text of a statement with a {@link customPlan}. */
export const customPlanMark = '/* custom plan */';

/**
 * A fragment for statements whose best plan depends on their values, such as those with optional
 * filters, limits, patterns or arrays of very different sizes: PostgreSQL plans them for the values
 * of each use. It may keep the plan of any other statement for a few seconds, whatever the values.
 */
export const customPlan = raw(customPlanMark);
