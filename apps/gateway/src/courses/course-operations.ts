import type { InputOf } from '@registrar/bus';
import {
  type AccessScope,
  checkPackage,
  type CourseRecord,
  createCourse,
  deleteCourse,
  Failure,
  guid,
  indexCourses,
  type Page,
  requireApplication,
  requireRealmAccess,
  requireUnbound,
  textLimits,
  updateCourse,
} from '@registrar/contracts';
import type { Row } from '@registrar/formats';
import * as z from 'zod';
import type { GrantedAccess } from '../access/access-resolver.ts';
import { listsOwnRegistrations } from '../compatibility/bright.ts';
import { asksForPart, emptyList, listParameters, readList, singlePage } from '../lists/paging.ts';
import { defineOperation, type Operation, type OperationContext } from '../operations/operation.ts';
import { parsePathGuid } from '../operations/named-item.ts';
import { singleRecord, singleRecordPageSize } from '../operations/single-record.ts';
import { exactFilter, flag, idParameter, optionalText } from '../parameters/parameter-types.ts';
import { type RequestParameters, singleValue } from '../parameters/request-parameters.ts';
import {
  courseDefinition,
  courseWithOwnRegistrationsDefinition,
  courseWithRegistrationDefinition,
} from './course-definition.ts';
import { findingDefinition } from './finding-definition.ts';
import { addOwnRegistrations, type ShownRegistrations } from './own-registrations.ts';

/** An import takes the time of the upload and of the course provider's processing. */
const importTimeoutMs = 5 * 60_000;

const exampleTitle = 'First aid basics';
const custom = optionalText(textLimits.custom).meta({
  description: 'Any text, usually JSON.',
  example: '{"level":1}',
});

const includeRegistrations = flag.describe(
  "With a user-bound key: nests that user's most recent registration.",
);

/** The record of course index and show, which depends on `include_registrations`. */
const recordWithRegistrations = {
  record: (given: RequestParameters, granted: GrantedAccess) =>
    nestsRegistrations(given, granted) ? courseWithRegistrationDefinition : courseDefinition,
  recordVariants: [courseDefinition, courseWithRegistrationDefinition],
};

/** The operations on courses (contract/courses). */
export const courseOperations: readonly Operation[] = [
  // contract/courses#index
  defineOperation({
    name: 'course index',
    summary: 'Lists courses.',
    routes: [{ method: 'GET', path: '/course' }],
    parameters: z.object({
      id: exactFilter.describe('The same as `course_guid`.'),
      course_guid: exactFilter.describe('The course with this GUID.'),
      title: exactFilter.describe('Courses with this title.'),
      custom: exactFilter.describe('Courses with this custom text.'),
      include_registrations: includeRegistrations,
      ...listParameters,
    }),
    patternFilters: ['id', 'course_guid', 'title', 'custom'],
    listFilters: ['course_guid'],
    record: (given, granted) =>
      listsOwnRegistrations(granted.scope)
        ? courseWithOwnRegistrationsDefinition
        : recordWithRegistrations.record(given, granted),
    recordVariants: recordWithRegistrations.recordVariants,
    list: true,
    showsOnly: 'courses',
    execute: async (call) => {
      const { bus, scope, parameters, patterns, lists, given } = call;
      const { id, course_guid, title, custom } = parameters;
      const expressions = {
        courseGuid: [...(patterns['id'] ?? []), ...(patterns['course_guid'] ?? [])],
        title: patterns['title'],
        custom: patterns['custom'],
      };
      // contract/parameters#id-and-guid
      if ((id ?? course_guid) !== (course_guid ?? id)) return { pages: emptyList(parameters) };
      const filters = {
        courseGuid: course_guid ?? id,
        courseGuids: lists['course_guid'],
        title,
        custom,
        patterns: expressions,
      };
      const listed = { scope, filters };
      const show = listsOwnRegistrations(scope) ? 'array' : shownRegistrations(given, scope);
      return {
        pages: asksForPart(given)
          ? withOwnRegistrations(call, readList(bus, indexCourses, listed, parameters), show)
          : listCourses(call, listed, show),
      };
    },
  }),

  // contract/courses#show; `:id` is the course's GUID
  defineOperation({
    name: 'course show',
    summary: 'Returns a course.',
    routes: [{ method: 'GET', path: '/course/:id' }],
    hasTextId: true,
    parameters: z.object({ include_registrations: includeRegistrations }),
    ...recordWithRegistrations,
    showsOnly: 'courses',
    execute: async (call) => {
      const { scope, path, given } = call;
      const filters = { courseGuid: parsePathGuid(path['id']) };
      const show = shownRegistrations(given, scope);
      const found = listCourses(call, { scope, filters }, show, singleRecordPageSize);
      return { record: await singleRecord(found) };
    },
  }),

  // contract/courses#create
  defineOperation({
    name: 'course create',
    summary: 'Imports a course package, or registers a course that the provider already holds.',
    routes: [
      { method: 'POST', path: '/course' },
      { method: 'GET', path: '/course/gcreate' },
    ],
    parameters: z.object({
      course_guid: guid.optional().meta({
        description: 'The GUID of the new course, or of the course that the provider holds.',
        example: 'first-aid-basics',
      }),
      course_provider_id: idParameter
        .optional()
        .describe('The provider application, if the access reaches several.'),
      title: z
        .string()
        .min(1)
        .max(textLimits.courseTitle)
        .optional()
        .meta({ description: "Replaces the package's title.", example: exampleTitle }),
      custom,
    }),
    record: courseDefinition,
    changesCatalog: true,
    status: 201,
    errorStatuses: [404],
    requireAccess: requireCreateAccess,
    timeoutMs: importTimeoutMs,
    acceptsPackage: true,
    execute: async ({ bus, scope, applicationId, uploadId, parameters }) => ({
      record: await bus.request(createCourse, {
        scope,
        applicationId: parameters.course_provider_id ?? applicationId,
        source: courseSource(uploadId, parameters.course_guid),
        title: parameters.title ?? null,
        custom: parameters.custom,
      }),
    }),
  }),

  // contract/courses#check
  defineOperation({
    name: 'course check',
    summary: 'Checks a course package, and stores no course.',
    routes: [{ method: 'POST', path: '/course/check' }],
    record: findingDefinition,
    list: true,
    writes: false,
    permission: 'write',
    requireAccess: requireUnbound,
    timeoutMs: importTimeoutMs,
    acceptsPackage: 'required',
    execute: async ({ bus, scope, uploadId }) => {
      if (uploadId === null)
        throw new Failure('invalid', 'no package is given', undefined, { parameter: 'file' });
      const { findings } = await bus.request(checkPackage, { scope, uploadId });
      return { pages: singlePage(findings) };
    },
  }),

  // contract/courses#update; `:id` is the course's GUID
  defineOperation({
    name: 'course update',
    summary: "Changes a course's title and custom text.",
    routes: [
      { method: 'PUT', path: '/course/:id' },
      { method: 'POST', path: '/course/:id' },
      { method: 'GET', path: '/course/gupdate/:id' },
    ],
    hasTextId: true,
    parameters: z.object({
      title: optionalText(textLimits.courseTitle).meta({
        description: 'The new title.',
        example: exampleTitle,
      }),
      custom,
    }),
    record: courseDefinition,
    changesCatalog: true,
    requireAccess: requireUnbound,
    execute: async ({ bus, scope, path, parameters: { title, custom } }) => ({
      record: await bus.request(updateCourse, {
        scope,
        courseGuid: parsePathGuid(path['id']),
        title,
        custom,
      }),
    }),
  }),

  // contract/courses#delete; `:id` is the course's GUID
  defineOperation({
    name: 'course delete',
    summary: 'Deletes a course with its registrations, at the course provider too.',
    routes: [{ method: 'DELETE', path: '/course/:id' }],
    hasTextId: true,
    record: courseDefinition,
    changesCatalog: true,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path }) => {
      const courseGuid = parsePathGuid(path['id']);
      return { record: await bus.request(deleteCourse, { scope, courseGuid }) };
    },
  }),
];

/** A provider application that the request names is part of its access. */
function requireCreateAccess(scope: AccessScope, given: RequestParameters): void {
  requireUnbound(scope);
  for (const value of given.get('course_provider_id') ?? []) {
    const { data: applicationId } = idParameter.safeParse(value);
    if (applicationId !== undefined) requireApplication(scope, applicationId);
  }
}

/** Lists courses, with what a user-bound key sees of their registrations. */
function listCourses(
  context: Pick<OperationContext, 'bus' | 'courseLists' | 'scope'>,
  request: Pick<InputOf<typeof indexCourses>, 'scope' | 'filters'>,
  show: ShownRegistrations,
  pageSize?: number,
): AsyncIterable<Page<Row>> {
  const { bus, courseLists, scope } = context;
  if (scope.user === null) return bus.pages(indexCourses, request, pageSize);
  return withOwnRegistrations(context, courseLists.pages(bus, request, pageSize), show);
}

/** Adds what a user-bound key sees of the registrations of courses; with another access, nothing. */
const withOwnRegistrations = (
  { bus, scope }: Pick<OperationContext, 'bus' | 'scope'>,
  courses: AsyncIterable<Page<CourseRecord>>,
  show: ShownRegistrations,
): AsyncIterable<Page<Row>> =>
  scope.user === null ? courses : addOwnRegistrations(bus, scope, courses, show);

/** What `registrations` of a course is for a user-bound key (contract/courses#nested-registrations). */
const shownRegistrations = (given: RequestParameters, scope: AccessScope): ShownRegistrations =>
  nestsRegistrations(given, { scope }) ? 'record' : 'count';

/** Whether each course nests a registration: only for a user-bound key that asks for it. */
const nestsRegistrations = (given: RequestParameters, { scope }: Pick<GrantedAccess, 'scope'>) =>
  scope.user !== null && requestsRegistrations(given);

/** A nested field name implies `include_registrations` (contract/courses#nested-field-implies). */
const requestsRegistrations = (given: RequestParameters) =>
  flag.safeParse(singleValue(given, 'include_registrations')).data === true ||
  /(^|,)\s*registrations\./.test(singleValue(given, 'fields') ?? '');

function courseSource(uploadId: string | null, courseGuid: string | undefined) {
  if (uploadId !== null) {
    return { kind: 'package' as const, uploadId, courseGuid: courseGuid ?? null };
  }
  if (courseGuid !== undefined) return { kind: 'held-by-provider' as const, courseGuid };
  throw new Failure('invalid', 'neither a package nor a course_guid is given');
}
