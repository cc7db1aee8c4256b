import { Failure, type FailureCode, packageFindings } from '@registrar/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import * as z from 'zod';
import { WrongCredentials } from '../admission/guessing-guard.ts';
import { queryParameters } from '../parameters/request-parameters.ts';
import { GatewayError } from './gateway-error.ts';
import { maxAcceptLength } from './response-format.ts';

/** The media type of RFC 9457. */
export const problemContentType = 'application/problem+json';

/** The body of an error response for a client that asks for it (contract/errors#problems). */
export const problem = z.object({
  type: z.string().describe('A relative reference to the rule of the contract. Stable.'),
  title: z.string().describe('The kind of problem.'),
  status: z.int().describe('The status of the response.'),
  detail: z.string().describe('What is wrong with the request: text for people.'),
  parameter: z.string().optional().describe('The name of the parameter at fault.'),
  request_id: z.string().describe('The `X-Request-Id` of the response.'),
  findings: packageFindings
    .optional()
    .describe('What was found in the course package that the course provider refuses.'),
});

/** The rule of contract/errors that describes a kind of problem, and its title. */
type Kind = readonly [anchor: string, title: string];

const failureKinds: Readonly<Record<FailureCode, Kind>> = {
  unchanged: ['status-302', 'The record exists already'],
  unauthenticated: ['status-401', 'No valid access'],
  'refused-by-provider': ['status-403', 'Refused by the course provider'],
  'not-found': ['status-404', 'Not found'],
  invalid: ['status-500', 'Invalid request'],
  internal: ['internal-errors', 'Internal error'],
  unavailable: ['status-503', 'Service unavailable'],
  overloaded: ['status-503', 'Service overloaded'],
  'over-limit': ['rate-limits', 'Limit reached'],
  expired: ['status-504', 'Deadline passed'],
};

const gatewayErrorKinds: Readonly<Record<GatewayError['status'], Kind>> = {
  405: ['status-405', 'Method not allowed'],
  406: ['status-406', 'Unknown format'],
  408: ['status-408', 'Request too slow'],
  501: ['status-501', 'Two access modes'],
};

/** Details of failures whose messages name parts of the system. */
const shownInstead: Partial<Record<FailureCode, string>> = {
  internal: 'a defect of the service; its log has the cause under the request id',
  unavailable: 'a service that the request depends on is unavailable',
  overloaded: 'the service has too much to do',
  expired: 'the request was not done before its deadline',
};

/** Where the gateway serves the contract (contract/errors#problem-type). */
const contractPath = '/docs/guides/contract/errors.md';

/**
 * Describes an error to the client that caused it. The detail is the reason in the log, unless that would show parts
 * of the system, or to a client without access what exists.
 *
 * @param code that of the failure that stands for the error; null for a {@link GatewayError}
 */
export function problemOf(
  error: unknown,
  { status, code, reason }: { status: number; code: FailureCode | null; reason: string },
  requestId: string,
): z.infer<typeof problem> {
  const [anchor, title] =
    code === null ? gatewayErrorKinds[status as GatewayError['status']] : failureKinds[code];
  const parameter =
    error instanceof Failure || error instanceof GatewayError ? error.parameter : undefined;
  const findings = error instanceof Failure ? error.findings : undefined;
  return {
    type: `${contractPath}#${anchor}`,
    title,
    status,
    detail: (code && shownDetail(error, code)) ?? reason,
    ...(parameter !== undefined && { parameter }),
    request_id: requestId,
    ...(findings && { findings: [...findings] }),
  };
}

function shownDetail(error: unknown, code: FailureCode): string | undefined {
  if (error instanceof WrongCredentials) return error.shownReason;
  const hidden = shownInstead[code];
  const isOfProvider = error instanceof Failure && error.ofProvider;
  return hidden !== undefined && isOfProvider
    ? 'the course provider is unavailable, slow or refuses its calls'
    : hidden;
}

/**
 * Whether a client asks for problems: by their own media type, since clients that accept everything get an empty body
 * (contract/errors#empty-body). A JSONP request gets none (contract/formats#jsonp-errors).
 */
export function asksForProblem(request: FastifyRequest): boolean {
  const accept = request.headers.accept?.slice(0, maxAcceptLength).toLowerCase();
  if (!accept?.includes(problemContentType)) return false;
  const headers = { accept };
  const isAccepted = new Negotiator({ headers }).mediaTypes().includes(problemContentType);
  return isAccepted && !queryParameters(request).given.has('callback');
}

/** Adds a request header to those that a response depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const known = reply.getHeader('vary');
  void reply.header('vary', known === undefined ? name : `${String(known)}, ${name}`);
}
