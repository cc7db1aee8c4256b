import { Failure, queryScope, readQueryResult, runQuery } from '#libs/contracts';
import { describeColumns } from '#libs/formats';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';

/** Stored query: run; its further parameters are the query's own (decision 27). */
export const runQueryOperation = defineOperation({
  name: 'run',
  summary: 'Run a stored query and answer its rows.',
  routes: [{ method: 'GET', path: '/run' }],
  parameters: z.object({
    name: z.string().optional(),
    query_scope: queryScope.optional(),
  }),
  takesOthers: true,
  formatWins: true,
  record: null,
  list: true,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, parameters: { name, query_scope }, others }) => {
    if (!name) throw new Failure('not-found', 'no query is named');
    const { resultId, columns } = await bus.request(runQuery, {
      scope,
      name,
      queryScope: query_scope ?? null,
      parameters: others,
    });
    return {
      pages: bus.pages(readQueryResult, { scope, resultId }),
      described: describeColumns('row', 'rows', columns),
    };
  },
});
