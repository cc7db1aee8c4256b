import {
  Failure,
  listRunnableQueries,
  queryScope,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, realmCall } from '../calls/define-call.ts';

/** Lists the stored queries of a realm, the built-in ones included. */
export const listReports = realmCall({
  role: 'administrator',
  input: z.object(callPage),
  handle: ({ bus, scope }, { cursor, limit }) =>
    bus.page(listRunnableQueries, { scope, name: null }, { cursor, limit }),
});

/** A stored query: its name, and its scope, because several scopes may have one of that name. */
const named = { report: z.string().min(1).max(255), scope: queryScope };

/** Shows a stored query. */
export const showReport = realmCall({
  role: 'administrator',
  input: z.object(named),
  handle: async ({ bus, scope }, { report: name, scope: wanted }) => {
    const page = { cursor: null, limit: 100 };
    const { items } = await bus.page(listRunnableQueries, { scope, name }, page);
    const found = items.find(({ query_scope }) => query_scope === wanted);
    if (!found) throw new Failure('not-found', 'the realm has no such report');
    return found;
  },
});

/** The most rows of a result that are shown. */
const maxShownRows = 200;

/** Runs a stored query, and shows the first rows of its result. */
export const runReport = realmCall({
  role: 'administrator',
  input: z.object({
    ...named,
    parameters: z
      .record(z.string().max(100), z.string().max(1_000))
      .refine((given) => Object.keys(given).length <= 50),
  }),
  handle: async ({ bus, scope }, { report: name, scope: wanted, parameters }) => {
    const { resultId, columns } = await bus.request(runQuery, {
      scope,
      name,
      queryScope: wanted,
      parameters,
      ignoreUnknown: false,
    });
    const page = { cursor: null, limit: maxShownRows };
    const { items, next } = await bus.page(readQueryResult, { scope, resultId }, page);
    return { columns, items, isCut: next !== null };
  },
});
