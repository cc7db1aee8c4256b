import type { BusClient } from '@registrar/bus';
import {
  type AccessScope,
  countRegistrationsByDay,
  type CourseRecord,
  deleteCourse,
  deleteCourseVersion,
  Failure,
  filterText,
  guid,
  indexCourses,
  listCourseVersions,
  listProviderApplicationSummaries,
  previewCourse,
  readCourseSettings,
} from '@registrar/contracts';
import * as z from 'zod';
import { clock } from '@registrar/platform';
import { callPage, realmCall } from '../calls/define-call.ts';

/** What a list shows of a course. */
const listedFields = ({ custom: _, metadata: __, warnings: ___, ...record }: CourseRecord) =>
  record;

/** The regular expression of texts that contain a text, in any case. */
const containing = (text: string): string =>
  `(?i)${text.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`)}`;

/** Lists the courses of a realm, in the order in which they were added. */
export const listCourses = realmCall({
  role: 'reader',
  input: z.object({
    ...callPage,
    /** A part of the title, in any case. */
    title: z.string().min(1).max(100).optional(),
    course: filterText.optional(),
  }),
  handle: async ({ bus, scope }, { title, course, cursor, limit }) => {
    const patterns = title === undefined ? undefined : { title: [containing(title)] };
    const input = { scope, filters: { courseGuid: course, patterns } };
    const { items, next } = await bus.page(indexCourses, input, { cursor, limit });
    return { items: items.map(listedFields), next };
  },
});

/** Lists the provider applications of a realm, for the choice of the one that gets a new course: 200 at most. */
export const listCourseApplications = realmCall({
  role: 'author',
  input: z.object({}),
  handle: async ({ bus }, { realm: realmGuid }) => {
    const page = { cursor: null, limit: 200 };
    const { items } = await bus.page(listProviderApplicationSummaries, { realmGuid }, page);
    return { items: items.map(({ id, name }) => ({ id, name })) };
  },
});

/** A course that its GUID names in a realm. */
const named = { course: guid };

/**
 * Finds a course of a realm by its GUID.
 *
 * @throws {Failure} `not-found`, also when several provider applications have the course
 */
export async function findCourse(
  bus: BusClient,
  scope: AccessScope,
  courseGuid: string,
): Promise<CourseRecord> {
  const input = { scope, filters: { courseGuid } };
  const { items } = await bus.page(indexCourses, input, { cursor: null, limit: 2 });
  const [record, another] = items;
  if (record === undefined) throw new Failure('not-found', 'the realm has no such course');
  if (another) throw new Failure('not-found', 'several provider applications have it');
  return record;
}

const nothing = { description: '', duration: '', typicaltime: '', keywords: [] };

/** What the provider says of a course, as far as it is readable. */
const described = z
  .object({
    description: z.string().catch(''),
    duration: z.string().catch(''),
    typicaltime: z.string().catch(''),
    keywords: z.array(z.string()).catch([]),
  })
  .catch(nothing);

/** Shows a course. */
export const showCourse = realmCall({
  role: 'reader',
  input: z.object(named),
  live: 4,
  handle: async ({ bus, scope }, { course }) => {
    const { metadata, ...record } = await findCourse(bus, scope, course);
    return { ...record, described: described.parse(JSON.parse(metadata)) };
  },
});

/** How far back the use of a course is shown: days, with today. */
const shownDays = 90;
const dayMs = 86_400_000;

/** Shows how many registrations of a course were created on each of the last days, UTC: none on days that are left out. */
export const showCourseUse = realmCall({
  role: 'reader',
  input: z.object(named),
  handle: async ({ bus, scope }, { course: courseGuid }) => {
    const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
    const today = clock.now();
    const since = dayOf(today - (shownDays - 1) * dayMs);
    const { days } = await bus.request(countRegistrationsByDay, { scope, courseGuid, since });
    return { since, until: dayOf(today), days };
  },
});

/** Lists the versions of a course, which its provider keeps. */
export const listVersionsOfCourse = realmCall({
  role: 'author',
  input: z.object(named),
  handle: ({ bus, scope }, { course: courseGuid }) =>
    bus.request(listCourseVersions, { scope, courseGuid }),
});

/** Deletes a version of a course with its registrations at the provider. */
export const deleteVersionOfCourse = realmCall({
  role: 'author',
  changes: true,
  input: z.object({ ...named, version: z.int() }),
  handle: async ({ bus, scope }, { course: courseGuid, version }) => {
    await bus.request(deleteCourseVersion, { scope, courseGuid, version });
    return {};
  },
});

/** Shows the settings of a course, which its provider keeps: passwords are masked. */
export const showCourseSettings = realmCall({
  role: 'author',
  input: z.object(named),
  handle: ({ bus, scope }, { course: courseGuid }) =>
    bus.request(readCourseSettings, { scope, courseGuid }),
});

/** Makes a link that opens a course without a registration: the provider records nothing. */
export const previewCourseOfRealm = realmCall({
  role: 'author',
  changes: true,
  input: z.object(named),
  handle: ({ bus, scope }, { course: courseGuid }) =>
    bus.request(previewCourse, { scope, courseGuid }),
});

/** Deletes a course and its registrations, at the provider and here. */
export const deleteCourseOfRealm = realmCall({
  role: 'author',
  changes: true,
  input: z.object(named),
  handle: async ({ bus, scope }, { course: courseGuid }) => {
    const { title } = await bus.request(deleteCourse, { scope, courseGuid });
    return { title };
  },
});
