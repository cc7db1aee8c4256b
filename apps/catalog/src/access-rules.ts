import {
  type AccessScope,
  Failure,
  requireApplication,
  requireUnbound,
  requireWholeRealm,
} from '@registrar/contracts';
import { type Sql, sql } from '@registrar/persistence';

/*
 * Who may read and change courses, packages and templates (contract/access#reach). Handlers call these
 * functions; no other file decides what a scope reaches.
 */

/**
 * Returns the SQL condition on `courses AS c` for the courses that a scope sees and changes: those of its
 * provider applications. A user-bound key sees the same ones (contract/access#user-key-courses).
 */
export const reachedCourses = ({ applicationIds }: Pick<AccessScope, 'applicationIds'>): Sql =>
  sql`c.provider_application_id = ANY(${applicationIds})`;

/**
 * Who may create and update courses and upload packages: a pair, or an unbound key. A user-bound key
 * only reads courses (contract/access#user-key-courses).
 */
export const requireCourseWriter = requireUnbound;

/**
 * Returns the id of the provider application in which a course is created
 * (contract/courses#create-course-provider-id).
 *
 * @param requestedId the provider application that the request names; null if it names none
 * @throws {Failure} `unauthenticated` when the scope does not reach the requested application;
 * `not-found` when the request names none and the scope does not reach exactly one
 */
export function applicationForCreate(scope: AccessScope, requestedId: number | null): number {
  requireCourseWriter(scope);
  if (requestedId !== null) {
    requireApplication(scope, requestedId);
    return requestedId;
  }
  const [only, ...others] = scope.applicationIds;
  if (only === undefined) throw new Failure('not-found', 'the realm has no provider application');
  if (others.length === 0) return only;
  throw new Failure('not-found', 'the request does not say which provider application it means');
}

/** Returns the SQL condition on `templates AS t` for those that a scope reaches: those of its realm. */
export const reachedTemplates = ({ realmId }: AccessScope): Sql => sql`t.realm_id = ${realmId}`;

/**
 * Who may read the templates of the realm: access to the whole realm, user-bound keys included
 * (contract/templates#index-access).
 */
export const requireTemplateReader = requireWholeRealm;

/**
 * Who may create, update and delete templates, and delete courses: a realm pair, or an unbound key
 * made from one (contract/access#user-key-templates, contract/access#realm-deletes).
 */
export { requireRealmAccess } from '@registrar/contracts';
