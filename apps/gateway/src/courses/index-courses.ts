import { indexCourses } from '#libs/contracts';
import * as z from 'zod';
import type { GrantedAccess } from '../access/access.ts';
import { bothNames } from '../operations/both-names.ts';
import { defineOperation } from '../operations/operation.ts';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';
import { exact, flag } from '../parameters/parameter-types.ts';
import { courseDescription, courseWithRegistrationDescription } from './course-description.ts';
import { withRegistrations } from './with-registrations.ts';

/** A nested name implies the nested record (decision 17). */
const asksForRegistrations = (given: GivenParameters) =>
  flag.safeParse(single(given, 'include_registrations')).data === true ||
  /(^|,)\s*registrations\./.test(single(given, 'fields') ?? '');

/** Only a key that is bound to a user has registrations to nest (api-v2.md, Course: index). */
const nests = (given: GivenParameters, { scope }: Pick<GrantedAccess, 'scope'>) =>
  scope.user !== null && asksForRegistrations(given);

/** Course: index. */
export const indexCoursesOperation = defineOperation({
  name: 'course index',
  summary: 'List courses.',
  routes: [{ method: 'GET', path: '/course' }],
  parameters: z.object({
    id: exact,
    course_guid: exact,
    title: exact,
    custom: exact,
    include_registrations: flag,
  }),
  expressions: ['id', 'course_guid', 'title', 'custom'],
  record: (given, granted) =>
    nests(given, granted) ? courseWithRegistrationDescription : courseDescription,
  variants: [courseDescription, courseWithRegistrationDescription],
  list: true,
  status: 200,
  answer: async ({ bus, scope, parameters, patterns, given }) => {
    const { id, course_guid, title, custom } = parameters;
    const expressions = {
      courseGuid: [...(patterns['id'] ?? []), ...(patterns['course_guid'] ?? [])],
      title: patterns['title'],
      custom: patterns['custom'],
    };
    return bothNames(id, course_guid, (courseGuid) => {
      const filters = { courseGuid, title, custom, patterns: expressions };
      const courses = bus.pages(indexCourses, { scope, filters });
      if (scope.user === null) return courses;
      return withRegistrations(bus, scope, courses, nests(given, { scope }));
    });
  },
});
