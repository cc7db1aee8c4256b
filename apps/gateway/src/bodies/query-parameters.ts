import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { ParameterCollection, type RequestParameters } from '../parameters/request-parameters.ts';
import { FormParser } from './form-parser.ts';

/** The parameters in the query string of a request. */
export interface QueryParameters {
  readonly given: RequestParameters;
  /** Why the rest of the query string is not read; `given` is what precedes it. */
  readonly fault: Failure | null;
}

const parsed = new WeakMap<FastifyRequest, QueryParameters>();

/** The parameters in the query string of a request, which is parsed once. */
export function queryParameters(request: FastifyRequest): QueryParameters {
  const known = parsed.get(request);
  if (known) return known;
  const query = parseQuery(request.url);
  parsed.set(request, query);
  return query;
}

function parseQuery(url: string): QueryParameters {
  const given = new ParameterCollection();
  const start = url.indexOf('?');
  if (start < 0) return { given, fault: null };
  const parser = new FormParser(given);
  try {
    parser.write(Buffer.from(url.slice(start + 1)));
    parser.end();
    return { given, fault: null };
  } catch (error) {
    return { given, fault: Failure.from(error) };
  }
}
