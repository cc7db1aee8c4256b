import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineList, defineRequest } from './message.ts';
import { filterText, id } from './values.ts';

/**
 * Scope of a stored query (contract/stored-queries#record-query-scope): `bright` is built in and
 * available in every realm; an operator stores queries for a `realm` or a `provider` application.
 */
export const queryScope = z.enum(['bright', 'realm', 'provider']);
export type QueryScope = z.infer<typeof queryScope>;

/** Stored query record. */
export const storedQueryRecord = z.object({ name: z.string(), query_scope: queryScope });

/** Creates or refreshes the built-in queries, and returns them. */
export const initializeQueries = defineRequest('enrolment.initialize-queries', {
  callers: ['gateway'],
  idempotency: 'natural',
  input: z.object({ scope: accessScope }),
  reply: z.object({ queries: z.array(storedQueryRecord) }),
});

/**
 * A column of a query's result. `kind` is derived from its SQL type and decides how each format
 * writes it.
 */
export const queryColumn = z.object({
  name: z.string(),
  kind: z.enum(['text', 'integer', 'float', 'boolean', 'datetime', 'json']),
});
export type QueryColumn = z.infer<typeof queryColumn>;

/**
 * Runs a stored query over the rows in the scope. The result is kept for one hour, to be read with
 * {@link readQueryResult}.
 *
 * @throws {Failure} `not-found` when there is no such query; `invalid` when a parameter is missing,
 * unknown or malformed
 */
export const runQuery = defineRequest('enrolment.run-query', {
  callers: ['gateway', 'operator', 'console'],
  idempotency: 'natural',
  permission: 'read',
  input: z.object({
    scope: accessScope,
    name: filterText,
    /**
     * Scope to search. Null searches the realm's and the provider application's queries first, then
     * the built-in ones; `bright` searches in the opposite order.
     */
    queryScope: queryScope.nullable(),
    /** Limits the search for queries of provider applications to those of this one. */
    applicationId: id.optional(),
    parameters: z.record(filterText, filterText),
    /** Ignores parameters that the query does not have (contract/stored-queries#former-unknown). */
    ignoreUnknown: z.boolean(),
    /** The rows may be up to a minute old (contract/errors#age). */
    mayBeOld: z.boolean().optional(),
  }),
  reply: z.object({
    resultId: z.uuid(),
    columns: z.array(queryColumn),
    /** How old the rows may be, in whole seconds; undefined for current ones. */
    ageSeconds: z.int().min(0).optional(),
  }),
});

/** Lists the rows of a query's result, in the query's order. */
export const readQueryResult = defineList('enrolment.read-query-result', {
  callers: ['gateway', 'operator', 'console'],
  input: z.object({ scope: accessScope, resultId: z.uuid() }),
  item: z.record(z.string(), z.json()),
});

/**
 * Deletes a stored query of the realm or of one of its provider applications
 * (contract/stored-queries#delete).
 *
 * @throws {Failure} `not-found` when the scope reaches no such query, or more than one
 */
export const deleteStoredQuery = defineRequest('enrolment.delete-stored-query', {
  callers: ['gateway', 'console'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    name: filterText,
    /** Null searches both scopes. */
    queryScope: queryScope.exclude(['bright']).nullable(),
    /** Limits the search to the queries of a provider application. */
    applicationId: id.nullable(),
  }),
  reply: storedQueryRecord,
});

/** A stored query in the operator's view. */
export const storedQuerySummary = z.object({
  id,
  name: z.string(),
  query_scope: queryScope,
  realm_id: id.nullable(),
  provider_application_id: id.nullable(),
  sql: z.string(),
  /** Names of the query's parameters. */
  parameters: z.array(z.string()),
});

/** Console: lists the stored queries that a scope may run, the built-in ones included. */
export const listRunnableQueries = defineList('enrolment.list-runnable-queries', {
  callers: ['console'],
  input: z.object({ scope: accessScope, name: filterText.nullable() }),
  item: storedQuerySummary.omit({ realm_id: true }),
});

/** Operator: lists all stored queries. */
export const listStoredQueries = defineList('enrolment.list-stored-queries', {
  callers: ['operator'],
  input: z.object({}),
  item: storedQuerySummary,
});

/**
 * Operator: stores a query for a realm or for one of its provider applications. A query of the same
 * name and scope is replaced.
 *
 * @throws {Failure} `invalid` when the text is not a single SELECT over the documented views
 */
export const putStoredQuery = defineRequest('enrolment.put-stored-query', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    name: z.string().regex(/^[\w.-]{1,100}$/),
    realmId: id,
    applicationId: id.nullable(),
    /** Text of the query, with named parameters in the form `:name`. */
    sql: z.string().min(1).max(65_536),
  }),
  reply: storedQuerySummary,
});

/** Console: checks the text of a query as {@link putStoredQuery} does, and stores nothing. */
export const checkStoredQuery = defineRequest('enrolment.check-stored-query', {
  callers: ['console'],
  idempotency: 'natural',
  input: putStoredQuery.input.pick({ sql: true }),
  reply: z.object({
    /** What is wrong with it; null for a query that can be stored. */
    problem: z
      .object({
        message: z.string(),
        /** Where, as an offset in the text (UTF-16 code units); null where that is not known. */
        offset: z.int().min(0).nullable(),
      })
      .nullable(),
  }),
});

/** Operator: deletes a stored query that is not built in. */
export const dropStoredQuery = defineRequest('enrolment.drop-stored-query', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ storedQueryId: id }),
  reply: z.object({}),
});
