import { type AccessScope, type RegistrationFilters } from '@registrar/contracts';
import {
  customPlan,
  type Database,
  empty,
  join,
  patternConditions,
  queryWithPatterns,
  type RowSchema,
  sql,
  type Sql,
} from '@registrar/persistence';
import { requireOwnLearner, reachedRegistrations } from '../access-rules.ts';

/** Which of the registrations that a scope reaches and the filters name. */
export interface SelectionOptions {
  /**
   * Only the most recently created one that is neither inactive nor deleted
   * (contract/registrations#usable).
   */
  readonly lastOnly?: boolean;
  /** Inactive ones too (contract/registrations#include-inactive); no effect with `lastOnly`. */
  readonly includeInactive?: boolean;
  /** Deleted ones too (contract/registrations#include-deleted); no effect with `lastOnly`. */
  readonly includeDeleted?: boolean;
}

/** Whether filters have regular expressions, which may take long. */
export const hasPatterns = ({ patterns = {} }: RegistrationFilters): boolean =>
  Object.values(patterns).some((given) => given?.length);

function* filterConditions(filters: RegistrationFilters): Iterable<Sql> {
  const { courseGuid, courseGuids, learnerId, registrationGuid, patterns } = filters;
  const { complete, success, updatedSince, createdSince } = filters;
  if (courseGuid !== undefined) yield sql`r.course_guid = ${courseGuid}`;
  if (courseGuids !== undefined) yield sql`r.course_guid = ANY(${courseGuids})`;
  if (learnerId !== undefined) yield sql`lower(r.learner_id) = lower(${learnerId})`;
  if (registrationGuid !== undefined) yield sql`r.registration_guid = ${registrationGuid}`;
  if (complete !== undefined) yield sql`r.complete = ${complete}`;
  if (success !== undefined) yield sql`r.success = ${success}`;
  if (updatedSince !== undefined) yield sql`r.updated_at >= ${updatedSince}`;
  if (createdSince !== undefined) yield sql`r.created_at >= ${createdSince}`;
  if (!hasPatterns(filters)) return;
  yield* patternConditions({
    // The expression of registrations_course_trigrams.
    "(r.course_guid || '')": patterns?.courseGuid,
    'r.learner_id': patterns?.learnerId,
    'r.registration_guid': patterns?.registrationGuid,
  });
}

/**
 * Returns the conditions on `registrations AS r` of what `filters` name, beside those of its reach: those that
 * the provider has confirmed, and those of invitations, which it may confirm later.
 */
export const selectionConditions = (
  filters: RegistrationFilters,
  { lastOnly = false, includeInactive = false, includeDeleted = true }: SelectionOptions,
): Sql[] => [
  ...filterConditions(filters),
  sql`r.provider_state NOT IN ('pending', 'refused')`,
  ...(includeInactive && !lastOnly ? [] : [sql`r.active`]),
  ...(includeDeleted && !lastOnly ? [] : [sql`r.deleted IS NULL`]),
];

/**
 * Returns a query for the rows of `registrations` that `filters` name within a scope.
 *
 * @throws {Failure} `unauthenticated` when a user-bound key names another learner
 */
export function selectRegistrations(
  scope: AccessScope,
  filters: RegistrationFilters,
  options: SelectionOptions = {},
): Sql {
  if (filters.learnerId) requireOwnLearner(scope, filters.learnerId);
  const conditions = [...reachedRegistrations(scope), ...selectionConditions(filters, options)];
  // An index finds those of a learner, and the one of a GUID. How others are found depends on their number.
  const { learnerId, registrationGuid } = filters;
  const plan = (learnerId ?? registrationGuid ?? scope.user) ? empty : customPlan;
  const latest = options.lastOnly ? sql`ORDER BY r.id DESC LIMIT 1` : empty;
  return sql`SELECT r.* FROM registrations AS r WHERE ${join(conditions, ' AND ')} ${latest} ${plan}`;
}

/**
 * Returns all rows of a statement that contains {@link selectRegistrations}, within the time limit
 * of regular expressions when `filters` hold some.
 */
export function querySelected<Row>(
  database: Pick<Database, 'many'>,
  scope: AccessScope,
  filters: RegistrationFilters,
  schema: RowSchema<Row>,
  statement: Sql,
): Promise<Row[]> {
  return hasPatterns(filters)
    ? queryWithPatterns(database, scope, schema, statement)
    : database.many(schema, statement);
}
