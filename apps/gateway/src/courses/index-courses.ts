import { indexCourses } from '#libs/contracts';
import * as z from 'zod';
import { bothNames } from '../operations/both-names.ts';
import { defineOperation } from '../operations/operation.ts';
import { exact } from '../parameters/parameter-types.ts';
import { courseDescription } from './course-description.ts';

/** Course: index. */
export const indexCoursesOperation = defineOperation({
  name: 'course index',
  routes: [{ method: 'GET', path: '/course' }],
  parameters: z.object({ id: exact, course_guid: exact, title: exact, custom: exact }),
  record: courseDescription,
  status: 200,
  answer: async ({ bus, scope, parameters }) => {
    const { id, course_guid, title, custom } = parameters;
    return bothNames(id, course_guid, (courseGuid) =>
      bus.pages(indexCourses, { scope, filters: { courseGuid, title, custom } }),
    );
  },
});
