import type { NotFoundException } from '@nestjs/common';
import { courseNotFound } from '../courses/find-course.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';

/** What has tags in the API. */
export interface Tagged {
  readonly table: 'courses' | 'registrations';
  /** The column of the id that the application chose. */
  readonly idColumn: 'course_id' | 'registration_id';
  readonly notFound: (id: string) => NotFoundException;
}

export const taggedCourses: Tagged = {
  table: 'courses',
  idColumn: 'course_id',
  notFound: courseNotFound,
};

export const taggedRegistrations: Tagged = {
  table: 'registrations',
  idColumn: 'registration_id',
  notFound: registrationNotFound,
};
