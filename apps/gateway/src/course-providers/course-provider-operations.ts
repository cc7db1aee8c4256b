import { courseProviderRecord, indexCourseProviders } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { listParameters, readList } from '../lists/paging.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';

/** The operations on provider applications (contract/course-providers). */
export const courseProviderOperations: readonly Operation[] = [
  // contract/course-providers#index
  defineOperation({
    name: 'course_provider index',
    summary: 'Lists the provider applications in reach, without their secrets.',
    routes: [{ method: 'GET', path: '/course_provider' }],
    record: defineRecord('course-provider', 'course-providers', courseProviderRecord, {
      sets: { public_minimum: ['id', 'name', 'sc_app_id'] },
    }),
    list: true,
    parameters: z.object(listParameters),
    execute: async ({ bus, scope, parameters }) => ({
      pages: readList(bus, indexCourseProviders, { scope }, parameters),
    }),
  }),
];
