import {
  type AccessScope,
  completion,
  type RegistrationFilters,
  success,
} from '@registrar/contracts';
import { customPlan, empty, join, sql, type Sql } from '@registrar/persistence';
import { reachedByApplication } from '../access-rules.ts';
import { firstIdSince } from './first-id-since.ts';
import { idColumn, type RegistrationOrder, usualOrder } from './registration-order.ts';
import {
  type SelectionOptions,
  selectionConditions,
  selectRegistrations,
} from './select-registrations.ts';

/** The part of a list that a page needs, beside the filters. */
interface ListPart extends SelectionOptions {
  readonly cursor: string | null;
  /** As many rows as the page reads. */
  readonly rows: number;
}

/** The id in `registrations_by_result`, which no other index offers as an order. */
const idByResult = sql`(r.id + 0)`;

/** Whether the filters name few rows, or rows that are not found in the order of a list: by a regular expression. */
function isFoundByKey(scope: AccessScope, filters: RegistrationFilters): boolean {
  const { learnerId, registrationGuid, patterns = {} } = filters;
  const hasPatterns = Object.values(patterns).some((given) => given?.length);
  return Boolean(learnerId ?? registrationGuid ?? scope.user) || hasPatterns;
}

const hasNoRange = ({ complete, success, updatedSince, createdSince }: RegistrationFilters) =>
  (complete ?? success ?? updatedSince ?? createdSince) === undefined;

/**
 * Returns a query for the rows of a page of a list of registrations, or a few more, without an order.
 *
 * Several provider applications, and the values of `complete` and `success`, are read one by one in the order of the
 * list, each up to the size of the page: `registrations_by_result` and `registrations_by_update` hold the rows of each in
 * that order. So a page costs as much in a table of any size, whichever part of it the filters name.
 *
 * @throws {Failure} `unauthenticated` when a user-bound key names another learner; `invalid` for a cursor of another
 * order
 */
export function orderedRegistrations(
  scope: AccessScope,
  filters: RegistrationFilters,
  order: RegistrationOrder,
  { cursor, rows, ...options }: ListPart,
): Sql {
  const isUsual = order === usualOrder && hasNoRange(filters);
  if (options.lastOnly || isUsual || isFoundByKey(scope, filters)) {
    const selected = selectRegistrations(scope, filters, options);
    return sql`SELECT r.* FROM (${selected}) AS r WHERE ${order.after(cursor, idColumn)}`;
  }
  const { applications, conditions: reached } = reachedByApplication(scope);
  const byResult = order.byUpdate || (filters.complete ?? filters.success) !== undefined;
  const id = byResult && !order.byUpdate ? idByResult : idColumn;
  const { createdSince } = filters;
  const results = sql`
    CROSS JOIN unnest(${filters.complete ? [filters.complete] : completion.options}::text[]) AS c (complete)
    CROSS JOIN unnest(${filters.success ? [filters.success] : success.options}::text[]) AS s (success)`;
  const conditions = [
    ...reached,
    ...(byResult ? [sql`r.complete = c.complete`, sql`r.success = s.success`] : []),
    ...selectionConditions({ ...filters, complete: undefined, success: undefined }, options),
    // What was created since a time was updated since then.
    ...(createdSince && order.byUpdate ? [sql`r.updated_at >= ${createdSince}`] : []),
    ...(createdSince && !order.byUpdate ? [sql`${id} >= ${firstIdSince(createdSince)}`] : []),
    order.after(cursor, id),
  ];
  return sql`
    SELECT r.* FROM ${applications} ${byResult ? results : empty}
    CROSS JOIN LATERAL (
      SELECT r.* FROM registrations AS r
      WHERE ${join(conditions, ' AND ')}
      ORDER BY ${order.orderInApplication(id)} LIMIT ${rows}
    ) AS r ${customPlan}`;
}
