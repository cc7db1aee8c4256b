import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { patterns } from './patterns.ts';
import { guid, id, timestamp } from './values.ts';

/**
 * Course record (api-v2.md, Resources). `metadata` belongs to the XML form only: the text of a
 * JSON object with the keys title, description, duration, typicaltime and keywords.
 */
export const courseRecord = z.object({
  id,
  course_guid: guid,
  course_provider_id: id,
  title: z.string(),
  size: z.int(),
  versions: z.int(),
  registrations: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
  custom: z.string().nullable(),
  metadata: z.string(),
});
export type CourseRecord = z.infer<typeof courseRecord>;

export const courseFilters = z.object({
  /** `course_guid`, and `id`, which names the same thing (api-v2.md, Course: index). */
  courseGuid: z.string().optional(),
  title: z.string().optional(),
  custom: z.string().optional(),
  patterns: z
    .object({ courseGuid: patterns, title: patterns, custom: patterns })
    .partial()
    .optional(),
});

export const indexCourses = defineList('catalog.index-courses', {
  input: z.object({ scope: accessScope, filters: courseFilters }),
  item: courseRecord,
});

/** One course by its GUID. With several applications in reach that hold it: `not-found`. */
export const findCourse = defineRequest('catalog.find-course', {
  input: z.object({
    applicationIds: z.array(id),
    courseGuid: guid,
  }),
  reply: z.object({ courseId: id, applicationId: id, courseGuid: guid, title: z.string() }),
});

/**
 * A piece of a course package, on its way to course create. Pieces are numbered from 0 and may be
 * sent again; what no create has asked for within a day is forgotten.
 */
export const appendPackagePiece = defineRequest('catalog.append-package-piece', {
  changes: 'again',
  input: z.object({
    scope: accessScope,
    uploadId: z.uuid(),
    index: z.int().min(0),
    /** At most 512 KiB, in base64. */
    bytes: z.base64().max(699_052),
  }),
  reply: z.object({}),
});

/**
 * Course create (decision 21): imports the package that was uploaded, or registers a course that
 * the provider already holds.
 */
export const createCourse = defineRequest('catalog.create-course', {
  changes: 'resumed',
  input: z.object({
    scope: accessScope,
    /** Needed when the scope reaches several provider applications. */
    applicationId: id.nullable(),
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('package'), uploadId: z.uuid(), courseGuid: guid.nullable() }),
      z.object({ kind: z.literal('held-by-provider'), courseGuid: guid }),
    ]),
    title: z.string().max(1000).nullable(),
    custom: z.string().max(65_536).nullable(),
  }),
  reply: courseRecord,
});

/** Course update (decision 21): sets what is not null. Several applications that hold it: `not-found`. */
export const updateCourse = defineRequest('catalog.update-course', {
  changes: 'resumed',
  input: z.object({
    scope: accessScope,
    courseGuid: guid,
    title: z.string().max(1000).nullable(),
    custom: z.string().max(65_536).nullable(),
  }),
  reply: courseRecord,
});

/** A course as the others need to know it. `version` rises with every change of the course. */
export const courseChanged = defineEvent('catalog.course-changed', {
  payload: z.object({
    courseId: id,
    applicationId: id,
    courseGuid: guid,
    title: z.string(),
    deleted: z.boolean(),
    version: z.int(),
  }),
  subscribers: ['enrolment'],
});
