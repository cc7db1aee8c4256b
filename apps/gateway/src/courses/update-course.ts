import { updateCourse } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { pathGuid } from '../operations/path-guid.ts';
import { optionalText } from '../parameters/parameter-types.ts';
import { courseDescription } from './course-description.ts';

/** Course: update and gupdate (decision 21); `:id` is the course's GUID. */
export const updateCourseOperation = defineOperation({
  name: 'course update',
  summary: "Set a course's title and custom text.",
  routes: [
    { method: 'PUT', path: '/course/:id' },
    { method: 'POST', path: '/course/:id' },
    { method: 'GET', path: '/course/gupdate/:id' },
  ],
  parameters: z.object({ title: optionalText(1000), custom: optionalText(65_536) }),
  record: courseDescription,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters: { title, custom } }) => ({
    record: await bus.request(updateCourse, {
      scope,
      courseGuid: pathGuid(path['id']),
      title,
      custom,
    }),
  }),
});
