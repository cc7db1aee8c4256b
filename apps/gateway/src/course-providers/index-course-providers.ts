import { courseProviderRecord, indexCourseProviders } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';

/** Course provider: index (decision 28): the provider applications in reach, without secrets. */
export const indexCourseProvidersOperation = defineOperation({
  name: 'course_provider index',
  summary: 'List the provider applications in reach, without their secrets.',
  routes: [{ method: 'GET', path: '/course_provider' }],
  parameters: z.object({}),
  record: describeRecord('course-provider', 'course-providers', courseProviderRecord, {
    sets: { public_minimum: ['id', 'name', 'sc_app_id'] },
  }),
  list: true,
  status: 200,
  answer: async ({ bus, scope }) => ({ pages: bus.pages(indexCourseProviders, { scope }) }),
});
