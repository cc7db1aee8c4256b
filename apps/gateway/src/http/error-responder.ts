import { clientAddress, DisconnectLog, isDisconnected } from '@registrar/bootstrap';
import { Failure, type FailureCode } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import type { FastifyError, FastifyReply } from 'fastify';
import { challengesFor } from '../access/authorization-header.ts';
import { ShedRequest } from '../admission/over-limit.ts';
import { GatewayError } from '../responses/gateway-error.ts';
import { addVary, asksForProblem, problemContentType, problemOf } from '../responses/problem.ts';
import { retryAfterSeconds, statusOfFailure } from '../responses/statuses.ts';
import { type RefusedRequest, shownPath } from './refused-request.ts';
import { faultOfFailure, notesOf } from './served-requests.ts';
import { ShedRequests } from './shed-requests.ts';
import { rejectionReason } from './rejected-body.ts';

/** The status that the client sees, and the cause, which is logged. */
interface ErrorResponse {
  readonly status: number;
  readonly code: FailureCode | null;
  readonly reason: string;
}

/**
 * Sends error responses: a status and an empty body (contract/errors#empty-body), or a problem where the client asks
 * for it (contract/errors#problems).
 */
export class ErrorResponder {
  readonly #disconnects: DisconnectLog;
  readonly #shed = new ShedRequests((reason, more) => this.logMore(reason, more));

  /**
   * @param onRefused called for each request that is answered with an error; for requests that are shed, with the first
   * of a window for each reason, and at its end with the number of the others
   */
  constructor(
    private readonly logger: Logger,
    private readonly onRefused: (request: RefusedRequest) => void,
  ) {
    this.#disconnects = new DisconnectLog(logger);
  }

  /** Responds to a failed request and logs the cause; of requests that are shed, that of the first of a window. */
  respond(error: unknown, reply: FastifyReply, operation: string | null): void {
    const response = toErrorResponse(error);
    const ofProvider = error instanceof Failure && error.ofProvider;
    notesOf(reply).fault = faultOfFailure(response.code, ofProvider);
    if (!(error instanceof ShedRequest) || this.#shed.isFirst(response.reason)) {
      this.logRefused(response, reply, operation, error);
    }
    const stated = error instanceof Failure ? error.retryAfterSeconds : undefined;
    const afterSeconds = stated ?? (response.code && retryAfterSeconds[response.code]);
    if (afterSeconds) void reply.header('retry-after', String(afterSeconds));
    if (response.status === 401) {
      void reply.header('www-authenticate', challengesFor(reply.request.headers));
    }
    addVary(reply, 'Accept');
    void reply.removeHeader('content-type').code(response.status);
    if (!asksForProblem(reply.request)) {
      void reply.send();
      return;
    }
    const problem = problemOf(error, response, reply.request.id);
    // Fastify adds a charset to the type of a text, which this type does not have.
    const body = Buffer.from(JSON.stringify(problem));
    void reply.header('content-type', problemContentType).send(body);
  }

  /** Logs the cause of an error response that the caller sends. */
  logRefused(
    response: ErrorResponse,
    reply: FastifyReply,
    operation: string | null,
    error?: unknown,
  ): void {
    if (isDisconnected(reply.request)) {
      this.#disconnects.record(reply.request, { operation, ...response });
      return;
    }
    const { account } = notesOf(reply);
    const line = { ...originFields(reply), operation, ...(account && { account }), ...response };
    if (response.code === 'internal') this.logger.error({ ...line, err: error }, 'request failed');
    else this.logger.warn(line, 'request refused');
    this.show(response, reply);
  }

  /** Logs how many requests were shed for the reason of one that was logged. */
  private logMore(reason: string, more: number): void {
    const { 'over-limit': status } = statusOfFailure;
    this.logger.warn({ status, reason, requests: more }, 'more requests refused');
    const withCount = `${reason}: ${more} more requests`;
    this.onRefused({ status, method: '-', path: '-', reason: withCount, requestId: '-' });
  }

  private show({ status, reason }: ErrorResponse, reply: FastifyReply): void {
    const { id: requestId, method, url } = reply.request;
    this.onRefused({ status, method, path: shownPath(url), reason, requestId });
  }

  /**
   * Logs input that is no HTTP request, so that it has neither a path nor an id.
   *
   * @param peer the address of the connection, which may be that of a proxy
   */
  logUnparsedRequest(status: number, reason: string, peer: string | undefined): void {
    this.logger.warn({ client_address: peer, status, reason }, 'request refused');
    this.onRefused({ status, method: '-', path: '-', reason, requestId: '-' });
  }

  /** Logs a response that failed after its status was sent; the client sees the connection break. */
  logAborted(error: unknown, reply: FastifyReply, operation: string): void {
    const { code, reason } = toErrorResponse(error);
    const line = { ...originFields(reply), operation, code, reason };
    if (code === 'internal') this.logger.error({ ...line, err: error }, 'response aborted');
    else this.logger.warn(line, 'response aborted');
  }
}

const originFields = ({ request: { id, ip } }: FastifyReply) => ({
  request_id: id,
  client_address: clientAddress(ip),
});

function toErrorResponse(error: unknown): ErrorResponse {
  if (error instanceof GatewayError) {
    return { status: error.status, code: null, reason: error.message };
  }
  if (isRejectedByFastify(error)) {
    const reason = rejectionReason(error);
    return { status: statusOfFailure.invalid, code: 'invalid', reason };
  }
  const { code, message } = Failure.from(error);
  return { status: statusOfFailure[code], code, reason: message };
}

/** Whether Fastify rejected the URL or the body of the request with a 4xx. */
function isRejectedByFastify(error: unknown): error is FastifyError {
  const { statusCode = 500 } = error as Partial<FastifyError>;
  return statusCode >= 400 && statusCode < 500;
}
