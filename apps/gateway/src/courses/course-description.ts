import { courseRecord, registrationRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';

/** The names of a course's fields in XML, and what each is made from (api-v2.md, Course record). */
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
const sets = { public_minimum: ['id', 'course_guid', 'title'] };

/** The course record. */
export const courseDescription = describeRecord('course', 'courses', courseRecord, {
  sets,
  xml,
  xmlOnly: ['metadata'],
});

/** A course with the latest registration of the key's user in place of their number. */
export const courseWithRegistration = courseRecord.extend({
  registrations: registrationRecord.nullable(),
  registration_count: z.int(),
});

/** The course record with `include_registrations`. XML shows both, under names of their own. */
export const courseWithRegistrationDescription = describeRecord(
  'course',
  'courses',
  courseWithRegistration,
  {
    sets,
    xml: { ...xml, registration_count: 'registration_count', registrations: 'registrations' },
    xmlOnly: ['metadata', 'registration_count'],
  },
);
