import type { InputOf } from '@registrar/bus';
import {
  checkStoredQuery,
  deleteStoredQuery,
  Failure,
  findRealmScope,
  guid,
  id,
  listRunnableQueries,
  putStoredQuery,
  queryScope,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, installationCall, realmCall } from '../calls/define-call.ts';
import { permissionsOf } from '../sessions/roles.ts';

/** Lists the stored queries of a realm, the built-in ones included. */
export const listReports = realmCall({
  role: 'administrator',
  input: z.object(callPage),
  handle: ({ bus, scope }, { cursor, limit }) =>
    bus.page(listRunnableQueries, { scope, name: null }, { cursor, limit }),
});

/** A stored query: several scopes, and several provider applications, may have one of the same name. */
const named = {
  report: z.string().min(1).max(255),
  scope: queryScope,
  /** The provider application of a query with the scope `provider`. */
  application: id.optional(),
};

/** Shows a stored query. */
export const showReport = realmCall({
  role: 'administrator',
  input: z.object(named),
  handle: async ({ bus, scope }, { report: name, scope: wanted, application }) => {
    for await (const { items } of bus.pages(listRunnableQueries, { scope, name }, 100)) {
      const found = items.find(
        ({ query_scope, provider_application_id }) =>
          query_scope === wanted &&
          (application === undefined || provider_application_id === application),
      );
      if (found) return found;
    }
    throw new Failure('not-found', 'the realm has no such report');
  },
});

/** The most rows of a result that are shown. */
const maxShownRows = 200;

const run = z.object({
  ...named,
  parameters: z
    .record(z.string().max(100), z.string().max(1_000))
    .refine((given) => Object.keys(given).length <= 50),
});

/** Runs a stored query, and shows the first rows of its result. */
export const runReport = realmCall({
  role: 'administrator',
  input: run,
  handle: async ({ bus, scope }, input) => {
    const { resultId, columns } = await bus.request(runQuery, { scope, ...toRunInput(input) });
    const page = { cursor: null, limit: maxShownRows };
    const { items, next } = await bus.page(readQueryResult, { scope, resultId }, page);
    return { columns, items, isCut: next !== null };
  },
});

/** The request for a run. */
export const toRunInput = ({
  report: name,
  scope,
  application,
  parameters,
}: z.output<typeof run>): Omit<InputOf<typeof runQuery>, 'scope'> => ({
  name,
  queryScope: scope,
  ...(application !== undefined && { applicationId: application }),
  parameters,
  ignoreUnknown: false,
});

const { name, sql } = putStoredQuery.input.shape;

/** Checks the text of a query, as storing it would. */
export const checkReport = installationCall({
  input: z.object({ sql }),
  handle: ({ bus }, input) => bus.request(checkStoredQuery, input),
});

/** Stores a query for a realm or for one of its provider applications, in place of one of the same name. */
export const putReport = installationCall({
  changes: true,
  input: z.object({ realm: guid, name, application: id.nullable(), sql }),
  handle: async ({ bus }, { realm: realmGuid, application: applicationId, ...query }) => {
    const permissions = [...permissionsOf('administrator')];
    const { realmId, applicationIds } = await bus.request(findRealmScope, {
      realmGuid,
      permissions,
    });
    if (applicationId !== null && !applicationIds.includes(applicationId)) {
      throw new Failure('not-found', 'the realm has no such provider application');
    }
    return bus.request(putStoredQuery, { ...query, realmId, applicationId });
  },
});

/** Deletes a stored query that is not built in. */
export const deleteReport = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ ...named, scope: queryScope.exclude(['bright']) }),
  handle: ({ bus, scope }, { report, scope: wanted, application }) =>
    bus.request(deleteStoredQuery, {
      scope,
      name: report,
      queryScope: wanted,
      applicationId: application ?? null,
    }),
});
