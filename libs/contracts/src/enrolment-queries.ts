import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineList, defineRequest } from './message.ts';
import { id } from './values.ts';

/** `bright`: built in, for all realms; `realm` and `provider`: an operator's own (decision 27). */
export const queryScope = z.enum(['bright', 'realm', 'provider']);
export type QueryScope = z.infer<typeof queryScope>;

/** A stored query, as initialize answers it. */
export const storedQueryRecord = z.object({ name: z.string(), query_scope: queryScope });

/** Creates or refreshes the built-in queries, and answers them. */
export const initializeQueries = defineRequest('enrolment.initialize-queries', {
  changes: 'again',
  input: z.object({ scope: accessScope }),
  reply: z.object({ queries: z.array(storedQueryRecord) }),
});

/** A column of a query's rows; its kind is what the formats make of its SQL type. */
export const queryColumn = z.object({
  name: z.string(),
  kind: z.enum(['text', 'integer', 'float', 'boolean', 'datetime', 'json']),
});
export type QueryColumn = z.infer<typeof queryColumn>;

/**
 * Runs a query over the rows that the scope reaches, and keeps its result for an hour, to be read
 * with {@link readQueryResult}. `not-found` when there is no such query; `invalid` when a parameter
 * is missing, unknown or malformed.
 */
export const runQuery = defineRequest('enrolment.run-query', {
  changes: 'again',
  input: z.object({
    scope: accessScope,
    name: z.string(),
    /** The realm's and the provider application's own come before the built-in ones when null. */
    queryScope: queryScope.nullable(),
    parameters: z.record(z.string(), z.string()),
  }),
  reply: z.object({ resultId: z.uuid(), columns: z.array(queryColumn) }),
});

/** The rows of a result, in the query's order. */
export const readQueryResult = defineList('enrolment.read-query-result', {
  input: z.object({ scope: accessScope, resultId: z.uuid() }),
  item: z.record(z.string(), z.json()),
});

/** A stored query as its operator sees it. */
export const storedQuerySummary = z.object({
  id,
  name: z.string(),
  query_scope: queryScope,
  realm_id: id.nullable(),
  provider_application_id: id.nullable(),
  sql: z.string(),
  /** The names that the query takes as request parameters. */
  parameters: z.array(z.string()),
});

/** For the operator: all stored queries. */
export const listStoredQueries = defineList('enrolment.list-stored-queries', {
  input: z.object({}),
  item: storedQuerySummary,
});

/**
 * For the operator: stores a query for a realm, or for one provider application of it; one of
 * the same name and scope is replaced. `invalid` when it is no single SELECT over the documented
 * views; the message says why.
 */
export const putStoredQuery = defineRequest('enrolment.put-stored-query', {
  changes: 'again',
  input: z.object({
    name: z.string().regex(/^[\w.-]{1,100}$/),
    realmId: id,
    applicationId: id.nullable(),
    /** Named parameters are written `:name`. */
    sql: z.string().min(1).max(65_536),
  }),
  reply: storedQuerySummary,
});

/** For the operator: removes a stored query that is not built in. */
export const dropStoredQuery = defineRequest('enrolment.drop-stored-query', {
  changes: 'once',
  input: z.object({ storedQueryId: id }),
  reply: z.object({}),
});
