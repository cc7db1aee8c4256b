import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import {
  ParameterCollection,
  queryParameters,
  type ReceivedParameters,
} from '../parameters/request-parameters.ts';
import { headerAccess } from './authorization-header.ts';

/** The parameters in the head of a request: of its query string, and the access that its `Authorization` header shows. */
export function headParameters(request: FastifyRequest): ReceivedParameters {
  const query = queryParameters(request);
  const access = headerAccess(request.headers.authorization);
  if (access.length === 0) return query;
  const given = new ParameterCollection();
  try {
    for (const [name, value] of access) given.add(name, value);
    given.addAll(query.given);
    return { given, fault: query.fault };
  } catch (error) {
    return { given, fault: Failure.from(error) };
  }
}
