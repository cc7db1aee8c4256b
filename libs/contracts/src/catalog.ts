import * as z from 'zod';
import { accessScope } from './access.ts';
import { customText } from './merge-custom.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { patterns } from './patterns.ts';
import { textLimits } from './text-limits.ts';
import { filterText, guid, id, timestamp } from './values.ts';

/**
 * Course record (contract/courses#record). `metadata` appears in XML only: a JSON object as text,
 * with the keys `title`, `description`, `duration`, `typicaltime` and `keywords`.
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
  /** Shown when `fields` names it (contract/courses#warnings). */
  warnings: z.array(z.string()),
});
export type CourseRecord = z.infer<typeof courseRecord>;

export const courseFilters = z.object({
  /** The parameter `course_guid`, or its alias `id` (contract/courses#filter-id). */
  courseGuid: filterText.optional(),
  /** Courses with any of these GUIDs (contract/parameters#list-filters). */
  courseGuids: z.array(filterText).max(1000).optional(),
  title: filterText.optional(),
  custom: filterText.optional(),
  patterns: z
    .object({ courseGuid: patterns, title: patterns, custom: patterns })
    .partial()
    .optional(),
});

export const indexCourses = defineList('catalog.index-courses', {
  callers: ['gateway', 'console'],
  input: z.object({ scope: accessScope, filters: courseFilters }),
  item: courseRecord,
});

/** The most owners that one {@link readVersions} may name: of each kind. */
export const maxVersions = 500;

/**
 * Reads the versions of the courses of provider applications, and of the templates of realms, in the
 * order of the ids. A version is a text that every change replaces by one that was never there before.
 * It shows only whether something has changed.
 */
export const readVersions = defineRequest('catalog.read-versions', {
  callers: ['gateway'],
  input: z.object({
    applicationIds: z.array(id).max(maxVersions),
    realmIds: z.array(id).max(maxVersions),
  }),
  reply: z.object({ courses: z.array(z.string()), templates: z.array(z.string()) }),
});

/**
 * Finds a course by its GUID in the given provider applications.
 *
 * @throws {Failure} `not-found` when no application holds it, or more than one
 */
export const findCourse = defineRequest('catalog.find-course', {
  callers: ['enrolment'],
  input: z.object({
    applicationIds: z.array(id),
    courseGuid: guid,
  }),
  reply: z.object({ courseId: id, applicationId: id, courseGuid: guid, title: z.string() }),
});

/**
 * Uploads one piece of a course package for {@link createCourse}. Pieces are numbered from 0 and
 * may be sent again. An upload without a new piece and without a course create is deleted after ten
 * minutes.
 */
export const appendPackagePiece = defineRequest('catalog.append-package-piece', {
  callers: ['gateway', 'operator', 'console'],
  idempotency: 'natural',
  input: z.object({
    scope: accessScope,
    uploadId: z.uuid(),
    index: z.int().min(0),
    /** Content of the piece in base64; at most 512 KiB before encoding. */
    bytes: z.base64().max(699_052),
    /**
     * The attempt that sends the piece: a repeated request sends the same upload in another attempt.
     * The upload belongs to the attempt that has sent piece 0 last.
     */
    attemptId: z.uuid(),
  }),
  reply: z.object({}),
});

/**
 * Deletes an upload that its sender needs no longer, unless it belongs to another attempt or its
 * import has started.
 */
export const discardUpload = defineRequest('catalog.discard-upload', {
  callers: ['gateway', 'operator', 'console'],
  idempotency: 'natural',
  input: z.object({ scope: accessScope, uploadId: z.uuid(), attemptId: z.uuid() }),
  reply: z.object({}),
});

/**
 * Reads one piece of an uploaded package, for the check of the package. `pieces` is the number of all.
 *
 * @throws {Failure} `not-found` when the realm has no such upload; `invalid` when a piece is missing
 */
export const readPackagePiece = defineRequest('catalog.read-package-piece', {
  callers: ['provider'],
  permission: 'write',
  input: z.object({ scope: accessScope, uploadId: z.uuid(), index: z.int().min(0) }),
  reply: z.object({
    /** Content of the piece in base64. */
    bytes: z.base64(),
    pieces: z.int().min(1),
  }),
});

/**
 * Creates a course (contract/courses#create): imports the uploaded package, or registers a course
 * that the provider already holds.
 */
export const createCourse = defineRequest('catalog.create-course', {
  callers: ['gateway', 'operator', 'console'],
  idempotency: 'resumable',
  input: z.object({
    scope: accessScope,
    /** Id of the provider application; required when the scope reaches more than one. */
    applicationId: id.nullable(),
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('package'), uploadId: z.uuid(), courseGuid: guid.nullable() }),
      z.object({ kind: z.literal('held-by-provider'), courseGuid: guid }),
    ]),
    title: z.string().max(textLimits.courseTitle).nullable(),
    custom: customText,
  }),
  reply: courseRecord,
});

/**
 * Updates a course (contract/courses#update); a field that is null keeps its value.
 *
 * @throws {Failure} `not-found` when no application in reach holds the course, or more than one
 */
export const updateCourse = defineRequest('catalog.update-course', {
  callers: ['gateway'],
  idempotency: 'resumable',
  input: z.object({
    scope: accessScope,
    courseGuid: guid,
    title: z.string().max(textLimits.courseTitle).nullable(),
    custom: customText,
  }),
  reply: courseRecord,
});

/**
 * Deletes a course at its provider, with its registrations, and in the catalog
 * (contract/courses#delete). The reply is its last record.
 *
 * @throws {Failure} `not-found` when no application in reach holds the course, or more than one;
 * `unavailable` when the provider cannot be reached, and nothing is deleted then
 */
export const deleteCourse = defineRequest('catalog.delete-course', {
  callers: ['gateway', 'console'],
  idempotency: 'resumable',
  input: z.object({ scope: accessScope, courseGuid: guid }),
  reply: courseRecord,
});

/**
 * Console: creates a link that opens the newest version of a course, without a registration. The provider records
 * nothing. The link is a secret, which is valid for two minutes.
 *
 * @throws {Failure} `not-found` when no application in reach holds the course, or more than one; `unavailable`
 */
export const previewCourse = defineRequest('catalog.preview-course', {
  callers: ['console'],
  idempotency: 'natural',
  permission: 'launch',
  input: z.object({ scope: accessScope, courseGuid: guid }),
  reply: z.object({ url: z.string() }),
});

/** A version of a course at its provider. */
export const courseVersion = z.object({
  version: z.int(),
  title: z.string(),
  /** When its package was imported; null where the provider does not say. */
  created_at: timestamp.nullable(),
  /** The registrations that use it; null where the provider does not say. */
  registrations: z.int().nullable(),
});
export type CourseVersion = z.infer<typeof courseVersion>;

/** The most versions of a course that are listed. */
export const maxListedVersions = 200;

/**
 * Console: lists the versions of a course that its provider has, the newest first.
 *
 * @throws {Failure} `not-found` when no application in reach holds the course, or more than one; `unavailable`
 */
export const listCourseVersions = defineRequest('catalog.list-course-versions', {
  callers: ['console'],
  input: z.object({ scope: accessScope, courseGuid: guid }),
  reply: z.object({ versions: z.array(courseVersion).max(maxListedVersions) }),
});

/**
 * Console: deletes a version of a course at its provider, with the registrations that use it. Sweeps find that these are
 * deleted.
 *
 * @throws {Failure} `not-found` for a version that the provider does not have, and as {@link listCourseVersions}; `invalid`
 * for the only version; `unavailable`
 */
export const deleteCourseVersion = defineRequest('catalog.delete-course-version', {
  callers: ['console'],
  idempotency: 'resumable',
  input: z.object({ scope: accessScope, courseGuid: guid, version: courseVersion.shape.version }),
  reply: courseRecord,
});

/** The most characters of the value of a setting. */
export const maxSettingLength = 2048;

/** A setting of a course at its provider, with the value in effect. */
export const courseSetting = z.object({
  /** Its name at the provider. */
  id: z.string().max(100),
  /** Cut if it is longer at the provider. */
  value: z.string().max(maxSettingLength),
  /** The level that sets the value, such as `default`, `application` or `course`. */
  source: z.string().max(100),
});
export type CourseSetting = z.infer<typeof courseSetting>;

/** The most settings of a course. */
export const maxCourseSettings = 1_000;

const settingName = z.string().regex(/^[A-Za-z]\w{0,99}$/, 'It is not the name of a setting.');

/** The most settings that one request sets, and the most that it removes. */
const maxChangedSettings = 100;

/** Operator, console: reads the settings of a course at its provider. @throws {Failure} as {@link configureCourse} */
export const readCourseSettings = defineRequest('catalog.read-course-settings', {
  callers: ['operator', 'console'],
  input: z.object({ scope: accessScope, courseGuid: guid }),
  reply: z.object({ settings: z.array(courseSetting).max(maxCourseSettings) }),
});

/**
 * Operator: sets settings of a course at its provider, and removes others, so that the levels above decide about those.
 * The reply has all settings after the change.
 *
 * @throws {Failure} `not-found` when no application in reach holds the course, or more than one; `invalid` with the
 * provider's message when it refuses a setting; `unavailable` when it cannot be reached
 */
export const configureCourse = defineRequest('catalog.configure-course', {
  callers: ['operator'],
  idempotency: 'resumable',
  input: z.object({
    scope: accessScope,
    courseGuid: guid,
    /** The values by the names of settings. */
    set: z
      .record(settingName, z.string().max(maxSettingLength))
      .refine((values) => Object.keys(values).length <= maxChangedSettings),
    /** The names of settings. */
    removed: z.array(settingName).max(maxChangedSettings),
  }),
  reply: readCourseSettings.reply,
});

/**
 * A course was created, updated or deleted. `version` increases with every change of the course.
 */
export const courseChanged = defineEvent('catalog.course-changed', {
  payload: z.object({
    courseId: id,
    applicationId: id,
    courseGuid: guid,
    title: z.string(),
    deleted: z.boolean(),
    version: z.int(),
    /** The provider's keywords of the course. */
    keywords: z.array(z.string()),
    /**
     * When course delete deleted the course at its provider, with every registration that had been
     * created for it until then: ISO 8601, UTC, milliseconds.
     */
    registrationsDeletedAt: timestamp.optional(),
  }),
  subscribers: ['enrolment'],
});
