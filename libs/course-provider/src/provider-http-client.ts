import {
  clock,
  currentRequestContext,
  currentTraceContext,
  inSpan,
  markSpanFailed,
  remainingTimeMs,
} from '@registrar/platform';
import type * as z from 'zod';
import { type CallLimit } from './call-limits.ts';
import { type CourseProviderConnection } from './connect-course-provider.ts';
import { answerTimeMs, CourseProviderError } from './course-provider-error.ts';
import { type StreamedBody } from './package-upload.ts';
import {
  type FaultCause,
  malformedResponseFault,
  networkFault,
  responseFault,
  timeoutFault,
  unaddressableFault,
} from './provider-faults.ts';
import { resolveApiRoot } from './resolve-api-root.ts';
import { retryDelay } from './retry-delay.ts';

/** Upper limits of a call's duration; an earlier deadline of the request context takes precedence. */
const requestTimeoutMs = 30_000;
const uploadTimeoutMs = 600_000;

/** One call of the provider's API. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments of the path below the API's root, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: Record<string, string | boolean | undefined>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Marks a POST that may be sent again when its response is lost: a second effect does no harm. */
  readonly repeatable?: true;
  readonly upload?: StreamedBody;
}

interface ProviderResponse {
  readonly status: number;
  readonly text: string;
  /** The header `X-Total-Count`: the number of items of a list; null without it. */
  readonly totalCount: string | null;
}

/** HTTP client for version 2 of the provider's API: authentication, time limits, retries, faults. */
export class ProviderHttpClient {
  readonly #root: URL;
  readonly #authorization: string;

  constructor(
    { baseUrl, appId, secretKey }: CourseProviderConnection,
    private readonly limit: CallLimit | null,
  ) {
    this.#root = resolveApiRoot(baseUrl);
    this.#authorization = `Basic ${Buffer.from(`${appId}:${secretKey}`).toString('base64')}`;
  }

  /**
   * Sends a request and ignores the body of the response.
   *
   * @throws {CourseProviderError}
   */
  async send(request: ProviderRequest): Promise<void> {
    await this.#sendWithRetries(request);
  }

  /**
   * Sends a request and parses the body of the response.
   *
   * @throws {CourseProviderError} also when the body does not match the schema
   */
  async request<Schema extends z.ZodType>(
    request: ProviderRequest,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    return this.#parse(request, await this.#sendWithRetries(request), schema);
  }

  /**
   * Like {@link ProviderHttpClient.request}, and returns the number of items of the whole list as well;
   * null when the provider does not send it.
   *
   * @throws {CourseProviderError} also when the token for the next page is that of this page
   */
  async requestList<Schema extends z.ZodType<{ readonly more: string | null }>>(
    request: ProviderRequest,
    schema: Schema,
  ): Promise<{ list: z.output<Schema>; total: number | null }> {
    const response = await this.#sendWithRetries(request);
    const { totalCount } = response;
    const total = totalCount !== null && /^\d{1,12}$/.test(totalCount) ? Number(totalCount) : null;
    const list = this.#parse(request, response, schema);
    if (list.more !== null && list.more === request.query?.['more']) {
      const repeated = 'more: the token for the next page is that of this page';
      throw this.#toError(request, malformedResponseFault(response.status, repeated));
    }
    return { list, total };
  }

  #parse<Schema extends z.ZodType>(
    request: ProviderRequest,
    { status, text }: ProviderResponse,
    schema: Schema,
  ): z.output<Schema> {
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the body';
    throw this.#toError(request, malformedResponseFault(status, `${place}: ${issue?.message}`));
  }

  async #sendWithRetries(request: ProviderRequest): Promise<ProviderResponse> {
    if (request.path.some(isDotSegment)) throw this.#toError(request, unaddressableFault);
    await this.limit?.beforeCall(1);
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#sendTraced(request, attempt);
      if ('text' in outcome) return outcome;
      if (outcome.kind === 'throttled') this.limit?.afterThrottling(outcome.retryAfter);
      const delay = isIdempotent(request)
        ? retryDelay(outcome, attempt, remainingTimeMs(), Math.random())
        : null;
      if (delay === null) throw this.#toError(request, outcome);
      await clock.sleep(delay);
      if (!(await this.#mayRepeat(attempt + 1))) throw this.#toError(request, outcome);
    }
  }

  /** Returns false if the limit refuses the call: the fault of the call before is what the caller must know. */
  async #mayRepeat(attempt: number): Promise<boolean> {
    try {
      await this.limit?.beforeCall(attempt);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Sends a request once, in a span. The span contains neither the ids in the path nor the query,
   * because both may hold e-mail addresses.
   */
  #sendTraced(request: ProviderRequest, attempt: number): Promise<ProviderResponse | FaultCause> {
    const { method, path } = request;
    const template = path.map((part) => (fixedSegments.has(part) ? part : '{id}')).join('/');
    const { hostname, port } = this.#root;
    const attributes = {
      'http.request.method': method,
      'url.template': template,
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    return inSpan({ name: `${method} ${template}`, kind: 'client', attributes }, async (span) => {
      const recordStatus = (status: number) =>
        span.setAttribute('http.response.status_code', status);
      const outcome = await this.#sendOnce(request, recordStatus);
      if (!('text' in outcome)) markSpanFailed(span, outcome.kind);
      return outcome;
    });
  }

  async #sendOnce(
    request: ProviderRequest,
    recordStatus: (status: number) => void,
  ): Promise<ProviderResponse | FaultCause> {
    const { method, body, upload } = request;
    const remainingMs = remainingTimeMs();
    // Of a short time, a small part.
    const untilAnswerMs = remainingMs - Math.min(answerTimeMs, remainingMs / 20);
    const timeoutMs = Math.min(untilAnswerMs, upload ? uploadTimeoutMs : requestTimeoutMs);
    if (timeoutMs === 0) return timeoutFault;
    const context = currentRequestContext();
    const { signal, cancel } = clock.timeout(Math.ceil(timeoutMs));
    try {
      const response = await fetch(this.#url(request), {
        method,
        headers: {
          authorization: this.#authorization,
          accept: 'application/json',
          ...(context && { 'x-request-id': context.requestId }),
          ...currentTraceContext(),
          ...(body && { 'content-type': 'application/json' }),
          ...upload?.headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(upload && { body: ReadableStream.from(upload.stream), duplex: 'half' }),
        // Following a redirect would turn a POST into a GET.
        redirect: 'manual',
        signal,
      });
      recordStatus(response.status);
      const text = await response.text();
      const totalCount = response.headers.get('x-total-count');
      if (response.ok) return { status: response.status, text, totalCount };
      return responseFault(response.status, text, response.headers.get('retry-after'));
    } catch (error) {
      if (upload?.sourceError) throw upload.sourceError;
      return networkFault(error);
    } finally {
      cancel();
    }
  }

  #url({ path, query = {} }: ProviderRequest): URL {
    const encoded = path.map((part) => encodeURIComponent(part.toWellFormed()));
    const url = new URL(encoded.join('/'), this.#root);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #toError(request: ProviderRequest, cause: FaultCause): CourseProviderError {
    const { origin, pathname } = this.#url(request);
    return new CourseProviderError({ ...cause, method: request.method, url: origin + pathname });
  }
}

/** True for a request that may be sent again: GET, PUT and DELETE (RFC 9110, 9.2.2), marked POSTs. */
const isIdempotent = ({ method, repeatable }: ProviderRequest): boolean =>
  method !== 'POST' || repeatable === true;

/** Segments of the API's paths that are not ids. */
const fixedSegments = new Set([
  'courses',
  'importJobs',
  'launchLink',
  'launches',
  'ping',
  'preview',
  'registrations',
  'title',
  'upload',
]);

/** True for `.` and `..`, which a URL's path cannot contain as a segment. */
const isDotSegment = (part: string) => part === '.' || part === '..';

/**
 * Handler for `catch` that turns a fault of kind `not-found` into null.
 *
 * @throws every other error, unchanged
 */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof CourseProviderError && error.fault.kind === 'not-found') return null;
  throw error;
}

const unstorableEscapes = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON; returns undefined, which no schema accepts, for other text. Characters that
 * PostgreSQL's `jsonb` rejects (U+0000 and lone surrogates) are removed or replaced, so that one
 * registration's text does not stop a crawl.
 */
function parseJson(text: string): unknown {
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
  try {
    return JSON.parse(text, unstorableEscapes.test(text) ? clean : undefined);
  } catch {
    return undefined;
  }
}
