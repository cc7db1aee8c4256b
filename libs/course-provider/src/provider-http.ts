import { currentOperation, currentPlace, inSpan, markFailed, remainingTime } from '#libs/platform';
import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import { apiRootOf } from './api-root.ts';
import { CourseProviderError } from './course-provider-error.ts';
import { type StreamedBody } from './package-upload.ts';
import {
  answerFault,
  malformedFault,
  type MetFault,
  networkFault,
  timeoutFault,
  unspeakableFault,
} from './provider-faults.ts';
import { retryDelay } from './retries.ts';

/** The longest that a call may take when the operation's deadline leaves more: milliseconds. */
const longestCall = 30_000;
const longestUpload = 600_000;

/** One call of the API. `path` is relative to its root, its parts not yet encoded. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: readonly string[];
  readonly query?: Record<string, string | boolean | undefined>;
  /** Sent as JSON. */
  readonly body?: object;
  /** A POST that may be sent again when its answer is lost: another effect is no harm. */
  readonly repeatable?: true;
  readonly upload?: StreamedBody;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** HTTP as version 2 of the provider's API wants it: authentication, time limits, errors. */
export class ProviderHttp {
  readonly #root: URL;
  readonly #authorization: string;

  constructor(baseUrl: string, appId: string, secretKey: string) {
    this.#root = apiRootOf(baseUrl);
    this.#authorization = `Basic ${Buffer.from(`${appId}:${secretKey}`).toString('base64')}`;
  }

  /** Makes a call whose answer does not matter. @throws {CourseProviderError} */
  async tell(call: Call): Promise<void> {
    await this.#send(call);
  }

  /** Makes a call and reads its answer. @throws {CourseProviderError} */
  async ask<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
    const { status, text } = await this.#send(call);
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the whole';
    throw this.#error(call, malformedFault(status, `${place}: ${issue?.message}`));
  }

  /** Like {@link ProviderHttp.ask}; null when the provider does not know what the path names. */
  async find<Schema extends z.ZodType>(
    call: Call,
    schema: Schema,
  ): Promise<z.output<Schema> | null> {
    return this.ask(call, schema).catch(nullIfUnknown);
  }

  async #send(call: Call): Promise<Answer> {
    if (call.path.some(isDotSegment)) throw this.#error(call, unspeakableFault);
    for (let attempt = 1; ; attempt += 1) {
      const met = await this.#traced(call, attempt);
      if ('text' in met) return met;
      const delay = mayRepeat(call)
        ? retryDelay(met, attempt, remainingTime(), Math.random())
        : null;
      if (delay === null) throw this.#error(call, met);
      await pause(delay);
    }
  }

  /**
   * An attempt in a span, which names neither the things in the path nor the query: both hold
   * people's addresses.
   */
  #traced(call: Call, attempt: number): Promise<Answer | MetFault> {
    const template = call.path.map((part) => (words.has(part) ? part : '{id}')).join('/');
    const { hostname, port } = this.#root;
    const attributes = {
      'http.request.method': call.method,
      'url.template': template,
      'server.address': hostname,
      ...(port && { 'server.port': Number(port) }),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    return inSpan(
      { name: `${call.method} ${template}`, kind: 'client', attributes },
      async (span) => {
        const tell = (status: number) => span.setAttribute('http.response.status_code', status);
        const met = await this.#attempt(call, tell);
        if (!('text' in met)) markFailed(span, met.kind);
        return met;
      },
    );
  }

  async #attempt(call: Call, tell: (status: number) => void): Promise<Answer | MetFault> {
    const time = Math.min(remainingTime(), call.upload ? longestUpload : longestCall);
    if (time === 0) return timeoutFault;
    const operation = currentOperation();
    try {
      const response = await fetch(this.#url(call), {
        method: call.method,
        headers: {
          authorization: this.#authorization,
          accept: 'application/json',
          ...(operation && { 'x-request-id': operation.requestId }),
          ...currentPlace(),
          ...(call.body && { 'content-type': 'application/json' }),
          ...call.upload?.headers,
        },
        ...(call.body && { body: JSON.stringify(call.body) }),
        ...(call.upload && { body: ReadableStream.from(call.upload.stream), duplex: 'half' }),
        // A redirected POST would become a GET: the configured address has to be right.
        redirect: 'manual',
        signal: AbortSignal.timeout(Math.ceil(time)),
      });
      tell(response.status);
      const text = await response.text();
      if (response.ok) return { status: response.status, text };
      return answerFault(response.status, text, response.headers.get('retry-after'));
    } catch (error) {
      if (call.upload?.sourceFault) throw call.upload.sourceFault;
      return networkFault(error);
    }
  }

  #url({ path, query = {} }: Call): URL {
    const encoded = path.map((part) => encodeURIComponent(part.toWellFormed()));
    const url = new URL(encoded.join('/'), this.#root);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #error(call: Call, met: MetFault): CourseProviderError {
    const { origin, pathname } = this.#url(call);
    return new CourseProviderError({ ...met, method: call.method, url: origin + pathname });
  }
}

/** The effect of PUT and DELETE is the same however often they are sent (RFC 9110, 9.2.2). */
const mayRepeat = ({ method, repeatable }: Call): boolean =>
  method !== 'POST' || repeatable === true;

/** The parts of paths that name nobody's things. */
const words = new Set([
  'courses',
  'importJobs',
  'launchLink',
  'ping',
  'registrations',
  'title',
  'upload',
]);

/** An id of one or two dots cannot stand in a URL's path: no provider can hold such a thing. */
const isDotSegment = (part: string) => part === '.' || part === '..';

/** For `catch`: null in place of the error that the provider does not know what was named. */
export function nullIfUnknown(error: unknown): null {
  if (error instanceof CourseProviderError && error.fault.kind === 'not-found') return null;
  throw error;
}

const unstorable = /\\u(?:0000|d[89a-f])/i;

/**
 * What the text holds; undefined, which no schema takes, when it is not JSON. Characters that
 * PostgreSQL's jsonb refuses are taken out: one registration's text must not hold up all others.
 */
function parseJson(text: string): unknown {
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
  try {
    return JSON.parse(text, unstorable.test(text) ? clean : undefined);
  } catch {
    return undefined;
  }
}
