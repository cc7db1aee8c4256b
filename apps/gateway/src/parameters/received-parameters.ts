import { parseForm } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { ParameterCollection, type RequestParameters } from './request-parameters.ts';

/** The parameters in the query string of a request. */
export type QueryParameters = {
  readonly given: RequestParameters;
  /** Why the rest of the query string is not read; `given` is what precedes it. */
  readonly fault: Failure | null;
};

/** Parses a query string: Fastify's `querystringParser`. */
export function parseQuery(text: string): QueryParameters {
  const given = new ParameterCollection();
  const { fields, fault } = parseForm(text);
  try {
    for (const [name, value] of fields) given.add(name, value);
    return { given, fault };
  } catch (error) {
    return { given, fault: Failure.from(error) };
  }
}

/** The parameters in the query string of a request, also of one whose path Fastify cannot parse. */
export function queryParameters({ query, url }: FastifyRequest): QueryParameters {
  const parsed = query as Partial<QueryParameters> | null;
  return parsed?.given ? (parsed as QueryParameters) : parseQuery(/\?([^]*)/.exec(url)?.[1] ?? '');
}

/**
 * Adds the parameters in a body that has been parsed (contract/parameters#body-form and #body-json).
 *
 * @throws {Failure} `invalid` for JSON that is no object, and beyond a limit
 */
export function addBodyParameters(given: ParameterCollection, body: unknown): void {
  if (body === undefined) return;
  if (body instanceof URLSearchParams) {
    for (const [name, value] of body) given.add(name, value);
    return;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Failure('invalid', 'the body is not a JSON object');
  }
  for (const [name, value] of Object.entries(body)) given.add(name, value);
}
