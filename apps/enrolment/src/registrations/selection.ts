import { type AccessScope, type RegistrationFilters } from '#libs/contracts';

/** A query for whole rows of `registrations`, with the values of its parameters. */
interface Selection {
  readonly sql: string;
  readonly parameters: unknown[];
}

type Condition = readonly [sql: string, value: unknown];

/** The registrations of the applications that a scope reaches; a user's own when it is bound. */
function reach(scope: AccessScope): Condition[] {
  return [
    ['r.provider_application_id = ANY(?)', scope.applicationIds],
    ...(scope.user ? [['lower(r.learner_id) = lower(?)', scope.user.email] as const] : []),
  ];
}

function* named(filters: RegistrationFilters): Iterable<Condition> {
  if (filters.courseGuid !== undefined) yield ['r.course_guid = ?', filters.courseGuid];
  if (filters.learnerId !== undefined) {
    yield ['lower(r.learner_id) = lower(?)', filters.learnerId];
  }
  if (filters.registrationGuid !== undefined) {
    yield ['r.registration_guid = ?', filters.registrationGuid];
  }
}

/**
 * The registrations that the provider has confirmed and that `filters` name within a scope.
 * Inactive ones are left out. With `lastOnly` it is the most recently created of those that are
 * not deleted (decision 18).
 */
export function selectRegistrations(
  scope: AccessScope,
  filters: RegistrationFilters,
  lastOnly = false,
): Selection {
  const conditions = [...reach(scope), ...named(filters)];
  const where = [
    ...conditions.map(([sql], index) => sql.replace('?', `$${index + 1}`)),
    `r.provider_state = 'ready'`,
    'r.active',
  ].join(' AND ');
  const last = 'AND r.deleted IS NULL ORDER BY r.id DESC LIMIT 1';
  return {
    sql: `SELECT r.* FROM registrations AS r WHERE ${where} ${lastOnly ? last : ''}`,
    parameters: conditions.map(([, value]) => value),
  };
}
