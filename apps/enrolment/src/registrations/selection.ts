import { type AccessScope, Failure, type RegistrationFilters } from '#libs/contracts';
import { type Database, patternConditions, queryWithPatterns } from '#libs/persistence';

/** A query for whole rows of `registrations`, with the values of its parameters. */
interface Selection {
  readonly sql: string;
  readonly parameters: unknown[];
}

/** Which of the registrations that a scope reaches and the filters name (decision 18). */
export interface Choice {
  /** Only the most recently created one that is neither inactive nor deleted. */
  readonly lastOnly?: boolean;
  /** Inactive ones too, but never as the last one. */
  readonly includeInactive?: boolean;
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
 * The registrations that `filters` name within a scope: those that the provider has confirmed,
 * and those of invitations, which it may confirm later.
 *
 * @throws {Failure} `unauthenticated` when a key that is bound to a user asks for another
 * learner's (decision 14)
 */
export function selectRegistrations(
  scope: AccessScope,
  filters: RegistrationFilters,
  { lastOnly = false, includeInactive = false }: Choice = {},
): Selection {
  const { user } = scope;
  const { learnerId } = filters;
  if (user && learnerId && learnerId.toLowerCase() !== user.email.toLowerCase()) {
    throw new Failure('unauthenticated', 'the api key is bound to another learner');
  }
  const conditions = [...reach(scope), ...named(filters)];
  const parameters = conditions.map(([, value]) => value);
  const where = [
    ...conditions.map(([sql], index) => sql.replace('?', `$${index + 1}`)),
    ...patternConditions(
      {
        'r.course_guid': filters.patterns?.courseGuid,
        'r.learner_id': filters.patterns?.learnerId,
        'r.registration_guid': filters.patterns?.registrationGuid,
      },
      parameters,
    ),
    `r.provider_state NOT IN ('pending', 'refused')`,
    ...(includeInactive && !lastOnly ? [] : ['r.active']),
  ].join(' AND ');
  const last = 'AND r.deleted IS NULL ORDER BY r.id DESC LIMIT 1';
  return {
    sql: `SELECT r.* FROM registrations AS r WHERE ${where} ${lastOnly ? last : ''}`,
    parameters,
  };
}

/**
 * Runs a query that is built around {@link selectRegistrations}, in the time that expressions get
 * when `filters` hold some.
 */
export function querySelected<Row>(
  database: Database,
  filters: RegistrationFilters,
  sql: string,
  parameters: unknown[],
): Promise<Row[]> {
  const hasPatterns = Object.values(filters.patterns ?? {}).some((given) => given?.length);
  return hasPatterns
    ? queryWithPatterns<Row>(database, sql, parameters)
    : database.query<Row>(sql, parameters);
}
