import { createCourse, Failure, guid } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { idNumber } from '../parameters/parameter-types.ts';
import { courseDescription } from './course-description.ts';

/** An import lasts as long as the upload and the provider's work: milliseconds. */
const importTime = 5 * 60_000;

/**
 * Course: create and gcreate (decision 21): imports the package in the multipart field `file`, or
 * registers the course that the provider already holds as `course_guid`. Where the access reaches
 * several provider applications, `course_provider_id` says which.
 */
export const createCourseOperation = defineOperation({
  name: 'course create',
  summary: 'Import a course package, or register a course that the provider holds.',
  routes: [
    { method: 'POST', path: '/course' },
    { method: 'GET', path: '/course/gcreate' },
  ],
  parameters: z.object({
    course_guid: guid.optional(),
    course_provider_id: idNumber.optional(),
    title: z.string().min(1).max(1000).optional(),
    custom: z.string().max(65_536).optional(),
  }),
  record: courseDescription,
  status: 201,
  refusals: [404],
  time: importTime,
  takesPackage: true,
  answer: async ({ bus, scope, applicationId, uploadId, parameters }) => ({
    record: await bus.request(createCourse, {
      scope,
      applicationId: parameters.course_provider_id ?? applicationId,
      source: source(uploadId, parameters.course_guid),
      title: parameters.title ?? null,
      custom: parameters.custom ?? null,
    }),
  }),
});

function source(uploadId: string | null, courseGuid: string | undefined) {
  if (uploadId !== null) {
    return { kind: 'package' as const, uploadId, courseGuid: courseGuid ?? null };
  }
  if (courseGuid !== undefined) return { kind: 'held-by-provider' as const, courseGuid };
  throw new Failure('invalid', 'neither a package nor a course_guid is given');
}
