import { courseRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';

/** The course record; in XML it has a field set of its own (api-v2.md, Course record). */
export const courseDescription = describeRecord('course', 'courses', courseRecord, {
  minimum: ['id', 'course_guid', 'title'],
  xml: {
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
  },
  xmlOnly: ['metadata'],
});
