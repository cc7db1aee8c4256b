import { createApiKeyOperation } from '../api-keys/create-api-key.ts';
import { indexCourseProvidersOperation } from '../course-providers/index-course-providers.ts';
import { createCourseOperation } from '../courses/create-course.ts';
import { indexCoursesOperation } from '../courses/index-courses.ts';
import { updateCourseOperation } from '../courses/update-course.ts';
import { addLearnersOperation } from '../invitations/add-learners.ts';
import { createInvitationOperation } from '../invitations/create-invitation.ts';
import { indexInvitationsOperation } from '../invitations/index-invitations.ts';
import { updateInvitationOperation } from '../invitations/update-invitation.ts';
import { initializeQueriesOperation } from '../queries/initialize-queries.ts';
import { runQueryOperation } from '../queries/run-query.ts';
import { createRealmUserOperation } from '../realm-users/create-realm-user.ts';
import { indexRealmUsersOperation } from '../realm-users/index-realm-users.ts';
import { updateRealmUserOperation } from '../realm-users/update-realm-user.ts';
import { createRegistrationOperation } from '../registrations/create-registration.ts';
import { indexRegistrationsOperation } from '../registrations/index-registrations.ts';
import { launchRegistrationOperation } from '../registrations/launch-registration.ts';
import { updateRegistrationOperation } from '../registrations/update-registration.ts';
import { createTemplateOperation } from '../templates/create-template.ts';
import { indexTemplatesOperation } from '../templates/index-templates.ts';
import { updateTemplateOperation } from '../templates/update-template.ts';
import type { Operation } from './operation.ts';

/** Everything that the API does. */
export const operations: readonly Operation[] = [
  createApiKeyOperation,
  indexCoursesOperation,
  createCourseOperation,
  updateCourseOperation,
  indexCourseProvidersOperation,
  indexRegistrationsOperation,
  createRegistrationOperation,
  updateRegistrationOperation,
  launchRegistrationOperation,
  indexInvitationsOperation,
  createInvitationOperation,
  updateInvitationOperation,
  addLearnersOperation,
  indexRealmUsersOperation,
  createRealmUserOperation,
  updateRealmUserOperation,
  indexTemplatesOperation,
  createTemplateOperation,
  updateTemplateOperation,
  initializeQueriesOperation,
  runQueryOperation,
];
