import {
  deleteStoredQuery,
  Failure,
  initializeQueries,
  type Page,
  queryScope,
  readQueryResult,
  requireRealmAccess,
  runQuery,
  storedQueryRecord,
} from '@registrar/contracts';
import { defineRecordFromColumns, defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { parsePathGuid } from '../operations/named-item.ts';
import { byteOrderMark, singlePage } from '../lists/paging.ts';
import { idParameter } from '../parameters/parameter-types.ts';
import { singleValue } from '../parameters/request-parameters.ts';

const storedQueryDefinition = defineRecord('stored-query', 'stored-queries', storedQueryRecord);

/**
 * Defines the operation that runs a stored query; all other parameters are the query's own
 * (contract/stored-queries#run).
 *
 * @param isFormer on the path of earlier versions, with what its clients expect
 * (contract/stored-queries#former-path)
 */
const defineRun = (operation: string, path: string, isFormer: boolean) =>
  defineOperation({
    name: operation,
    summary: isFormer
      ? 'Runs a stored query, for clients that read its columns by position.'
      : 'Runs a stored query and returns its rows.',
    routes: [{ method: 'GET', path }],
    namedBy: 'name',
    parameters: z.object({
      name: z.string().optional().meta({
        description: "The query's name.",
        example: 'completion_by_course',
      }),
      query_scope: queryScope
        .optional()
        .meta({ description: '`bright` for built-in queries.', example: 'bright' }),
      // On the former path, all other parameters are the query's.
      ...(isFormer ? {} : byteOrderMark),
    }),
    acceptsExtraParameters: true,
    formatParameterFirst: true,
    record: null,
    list: true,
    execute: async ({
      bus,
      scope,
      parameters: { name, query_scope },
      extraParameters,
      mayBeOld,
    }) => {
      if (!name) throw new Failure('not-found', 'the name of the query is missing');
      const { resultId, columns, ageSeconds } = await bus.request(runQuery, {
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
        mayBeOld,
      });
      return {
        pages: withAge(bus.pages(readQueryResult, { scope, resultId }), ageSeconds),
        recordDefinition: defineRecordFromColumns('row', 'rows', columns, isFormer),
      };
    },
  });

/** The pages of a result whose rows were read by an earlier request. */
async function* withAge<Item>(
  pages: AsyncIterable<Page<Item>>,
  ageSeconds: number | undefined,
): AsyncGenerator<Page<Item>, void, undefined> {
  for await (const page of pages) yield { ...page, ageSeconds };
}

/** The operations on stored queries (contract/stored-queries). */
export const queryOperations: readonly Operation[] = [
  // contract/stored-queries#initialize
  defineOperation({
    name: 'initialize',
    summary: 'Creates or refreshes the built-in stored queries.',
    routes: [{ method: 'GET', path: '/initialize' }],
    record: storedQueryDefinition,
    list: true,
    writes: true,
    execute: async ({ bus, scope }) => {
      const { queries } = await bus.request(initializeQueries, { scope });
      return { pages: singlePage(queries) };
    },
  }),

  defineRun('run', '/run', false),
  defineRun('stored_query run', '/stored_query/run', true),

  // contract/stored-queries#delete; `:id` is the query's name
  defineOperation({
    name: 'stored_query delete',
    summary: 'Deletes a stored query of the realm or of a provider application.',
    routes: [{ method: 'DELETE', path: '/stored_query/:id' }],
    hasTextId: true,
    parameters: z.object({
      query_scope: queryScope
        .exclude(['bright'])
        .optional()
        .meta({ description: '`realm` or `provider`, if both have the query.', example: 'realm' }),
      course_provider_id: idParameter
        .optional()
        .describe('The provider application, if several have the query.'),
    }),
    record: storedQueryDefinition,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path, parameters }) => ({
      record: await bus.request(deleteStoredQuery, {
        scope,
        name: parsePathGuid(path['id']),
        queryScope: parameters.query_scope ?? null,
        applicationId: parameters.course_provider_id ?? null,
      }),
    }),
  }),
];
