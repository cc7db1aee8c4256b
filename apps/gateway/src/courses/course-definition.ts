import { courseRecord, registrationRecord } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { registrationMinimum } from '../registrations/registration-definition.ts';

/** A course's fields in XML, and the property that each is made from (contract/courses#xml). */
const xml = {
  course_provider_id: 'course_provider_id',
  created_at: 'created_at',
  custom: 'custom',
  id: 'id',
  metadata: 'metadata',
  registration_count: 'registrations',
  sc_course_id: 'course_guid',
  size: 'size',
  title: 'title',
  updated_at: 'updated_at',
  versions: 'versions',
};
const minimum = ['id', 'course_guid', 'title'];

/**
 * The course record (contract/courses#record). The names of a nested registration, which it does not have,
 * select nothing (contract/courses#nested-field-without-user).
 */
export const courseDefinition = defineRecord('course', 'courses', courseRecord, {
  sets: { public_minimum: minimum },
  xml,
  xmlOnly: ['metadata'],
  ignoredNames: Object.keys(registrationRecord.shape).map((name) => `registrations.${name}`),
  onlyNamed: ['warnings'],
});

/** A course with the most recent registration of the key's user in place of the number. */
const courseWithRegistration = courseRecord.extend({
  registrations: registrationRecord.nullable(),
  registration_count: z.int(),
});

/** The course record with `include_registrations`; XML shows the number too. */
export const courseWithRegistrationDefinition = defineRecord(
  'course',
  'courses',
  courseWithRegistration,
  {
    sets: {
      public_minimum: [...minimum, ...registrationMinimum.map((name) => `registrations.${name}`)],
    },
    xml: { ...xml, registration_count: 'registration_count', registrations: 'registrations' },
    xmlOnly: ['metadata', 'registration_count'],
    onlyNamed: ['warnings'],
  },
);

/** What each registration shows in `public_minimum` (contract/compatibility#course-index). */
const ownRegistrationMinimum = [
  ...registrationMinimum,
  'custom',
  'attempts',
  'totaltime',
  'provider_completed_at',
  'provider_accessed_at',
].map((name) => `registrations.${name}`);

const courseNames = Object.keys(courseRecord.shape).filter((name) => name !== 'registrations');

/** The record in the index for a user-bound key, in a realm that serves the clients of Bright. */
export const courseWithOwnRegistrationsDefinition = defineRecord(
  'course',
  'courses',
  courseWithRegistration.extend({ registrations: z.array(registrationRecord) }),
  {
    sets: {
      public_minimum: [...minimum, 'custom', 'metadata', ...ownRegistrationMinimum],
      no_registrations: courseNames.filter((name) => name !== 'warnings'),
    },
    xml: { ...xml, registration_count: 'registration_count', registrations: 'registrations' },
    xmlOnly: ['registration_count'],
    onlyNamed: ['warnings'],
  },
);
