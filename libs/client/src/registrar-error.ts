/** A problem of RFC 9457, as far as a client reads it (contract/errors#problem-members). */
interface Problem {
  readonly type?: string;
  readonly detail?: string;
  readonly parameter?: string;
}

/**
 * A request that did not succeed. Neither its texts nor its cause contain the request's URL, headers or body, because
 * these contain credentials.
 */
export class RegistrarError extends Error {
  override readonly name = 'RegistrarError';
  /** The name of the operation: `registrations.create`. */
  readonly operation: string;
  /** The status of the response, such as 302 for a record that exists already; null without a response. */
  readonly status: number | null;
  /** The address of the contract's rule, relative to the URL of the request; null where the response has none. */
  readonly type: string | null;
  /** What is wrong with the request, for people; null where the response does not say so. */
  readonly detail: string | null;
  /** The parameter at fault; null where there is none. */
  readonly parameter: string | null;
  /** The id under which the server's log has the request; null without a response. */
  readonly requestId: string | null;

  private constructor(
    operation: string,
    reason: string,
    { response, problem, cause }: { response?: Response; problem?: Problem; cause?: unknown },
  ) {
    super(`${operation}: ${reason}`, { cause });
    this.operation = operation;
    this.status = response?.status ?? null;
    this.type = problem?.type ?? null;
    this.detail = problem?.detail ?? null;
    this.parameter = problem?.parameter ?? null;
    this.requestId = response?.headers.get('x-request-id') ?? null;
  }

  /** The error of a response with a status other than success. */
  static ofResponse(operation: string, response: Response, body: unknown): RegistrarError {
    const problem = (typeof body === 'object' && body) || {};
    const { detail } = problem as Problem;
    const id = response.headers.get('x-request-id');
    const reason = `status ${response.status}${detail ? `, ${detail}` : ''}${id ? ` (request ${id})` : ''}`;
    return new RegistrarError(operation, reason, { response, problem });
  }

  /** The error of a request without a response. */
  static withoutResponse(operation: string, reason: string, cause?: unknown): RegistrarError {
    return new RegistrarError(operation, reason, { cause });
  }
}
