import {
  Failure,
  initializeQueries,
  queryScope,
  readQueryResult,
  runQuery,
  storedQueryRecord,
} from '@registrar/contracts';
import { defineRecordFromColumns, defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { singlePage } from '../operations/single-page.ts';
import { singleValue } from '../parameters/request-parameters.ts';

interface RunPath {
  readonly name: string;
  readonly path: string;
  /** The path of earlier versions, with what its clients expect (contract/stored-queries#former-path). */
  readonly isFormer: boolean;
}

const runPaths: readonly RunPath[] = [
  { name: 'run', path: '/run', isFormer: false },
  { name: 'stored_query run', path: '/stored_query/run', isFormer: true },
];

// contract/stored-queries#run; all other parameters are the query's own
const runOperations = runPaths.map(({ name: operation, path, isFormer }) =>
  defineOperation({
    name: operation,
    summary: isFormer
      ? 'Runs a stored query, for clients that read its columns by position.'
      : 'Runs a stored query and returns its rows.',
    routes: [{ method: 'GET', path }],
    parameters: z.object({
      name: z.string().optional().meta({
        description: "The query's name. The query's own parameters are request parameters too.",
        example: 'completion_by_course',
      }),
      query_scope: queryScope
        .optional()
        .meta({ description: '`bright` for built-in queries.', example: 'bright' }),
    }),
    acceptsExtraParameters: true,
    formatParameterFirst: true,
    record: null,
    list: true,
    status: 200,
    errorStatuses: [404],
    execute: async ({ bus, scope, parameters: { name, query_scope }, extraParameters }) => {
      if (!name) throw new Failure('not-found', 'the name of the query is missing');
      const { resultId, columns } = await bus.request(runQuery, {
        scope,
        name,
        queryScope: query_scope ?? null,
        parameters: Object.fromEntries(
          [...extraParameters.keys()].map((each) => [
            each,
            singleValue(extraParameters, each) ?? '',
          ]),
        ),
        ignoreUnknown: isFormer,
      });
      return {
        pages: bus.pages(readQueryResult, { scope, resultId }),
        recordDefinition: defineRecordFromColumns('row', 'rows', columns, { positions: isFormer }),
      };
    },
  }),
);

/** The operations on stored queries (contract/stored-queries). */
export const queryOperations: readonly Operation[] = [
  // contract/stored-queries#initialize
  defineOperation({
    name: 'initialize',
    summary: 'Creates or refreshes the built-in stored queries.',
    routes: [{ method: 'GET', path: '/initialize' }],
    parameters: z.object({}),
    record: defineRecord('stored-query', 'stored-queries', storedQueryRecord),
    list: true,
    status: 200,
    writes: true,
    execute: async ({ bus, scope }) => {
      const { queries } = await bus.request(initializeQueries, { scope });
      return { pages: singlePage(queries) };
    },
  }),

  ...runOperations,
];
