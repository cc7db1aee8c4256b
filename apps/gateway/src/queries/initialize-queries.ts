import { initializeQueries, storedQueryRecord } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';
import { onePage } from '../operations/one-page.ts';
import { defineOperation } from '../operations/operation.ts';

/** Stored query: initialize (decision 27): answers the built-in queries. */
export const initializeQueriesOperation = defineOperation({
  name: 'initialize',
  summary: 'Make or refresh the built-in stored queries.',
  routes: [{ method: 'GET', path: '/initialize' }],
  parameters: z.object({}),
  record: describeRecord('stored-query', 'stored-queries', storedQueryRecord),
  list: true,
  status: 200,
  answer: async ({ bus, scope }) => {
    const { queries } = await bus.request(initializeQueries, { scope });
    return { pages: onePage(queries) };
  },
});
