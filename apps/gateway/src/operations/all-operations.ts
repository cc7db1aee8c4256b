import { createApiKeyOperation } from '../api-keys/create-api-key.ts';
import { createCourseOperation } from '../courses/create-course.ts';
import { indexCoursesOperation } from '../courses/index-courses.ts';
import { createRegistrationOperation } from '../registrations/create-registration.ts';
import { indexRegistrationsOperation } from '../registrations/index-registrations.ts';
import { launchRegistrationOperation } from '../registrations/launch-registration.ts';
import type { Operation } from './operation.ts';

/** Everything that the API does. */
export const operations: readonly Operation[] = [
  createApiKeyOperation,
  indexCoursesOperation,
  createCourseOperation,
  indexRegistrationsOperation,
  createRegistrationOperation,
  launchRegistrationOperation,
];
