import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DataRate, endSlowReading, minResponseDataRate } from '@registrar/bootstrap';
import { Failure, type Page, type ProviderRefusal, providerRefusal } from '@registrar/contracts';
import {
  contentTypes,
  defineRecord,
  type FieldSelection,
  jsonpContentType,
  type Row,
  selectAllFields,
  writeList,
  writeRecord,
  writeWholeList,
} from '@registrar/formats';
import { clock, runInRequestContext } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import etag from 'etag';
import type { FastifyReply } from 'fastify';
import fresh from 'fresh';
import type { PresentedAccess } from '../access/access-mode.ts';
import { type Access, AccessResolver } from '../access/access-resolver.ts';
import type { Slot } from '../admission/slots.ts';
import { auditExportRows, ExportRecorder } from '../audit/export-recorder.ts';
import { listHeaders } from '../lists/paging.ts';
import type { Operation, OperationResult } from '../operations/operation.ts';
import type { WholeResponse } from '../response-cache/response-cache.ts';
import type { CachePlace } from '../response-cache/versioned-cache.ts';
import type { ResponseFormat } from '../responses/response-format.ts';
import { statusOfFailure } from '../responses/statuses.ts';
import { ErrorResponder } from './error-responder.ts';
import type { RequestOrigin } from './response-headers.ts';
import { faultOfFailure, notesOf } from './served-requests.ts';

/** The deadline of each page of a list: milliseconds. */
const pageTimeoutMs = 30_000;

/** What the operating system takes at once from a socket that is not busy: the client sets no pace. */
const sentAtOnceBytes = 16 * 1024;

const readTooSlowly = () => new Failure('invalid', 'the client reads the response too slowly');

const providerErrorDefinition = defineRecord('error', 'errors', providerRefusal);

/** The request that a response answers. */
interface AnsweredRequest {
  readonly operation: Operation;
  readonly origin: RequestOrigin;
  readonly reply: FastifyReply;
  readonly slot: Slot;
}

/** What a response shows, and to whom. */
interface Presentation extends ResponseFormat {
  readonly selection: FieldSelection;
  readonly presented: PresentedAccess;
  readonly access: Access;
  /** Where the response is kept for later requests, if it may be. */
  readonly place: CachePlace<WholeResponse> | null;
}

/** Sends the responses of operations: records, lists page by page, and errors of the provider. */
@Injectable()
export class ResponseSender {
  constructor(
    private readonly access: AccessResolver,
    private readonly exports: ExportRecorder,
    private readonly errors: ErrorResponder,
    @Inject(minResponseDataRate) private readonly minDataRate: DataRate,
  ) {}

  /** Sends a response that was made for an earlier request. */
  sendKept(
    response: WholeResponse,
    presentation: ResponseFormat & Pick<Presentation, 'access'>,
    request: AnsweredRequest,
  ): FastifyReply {
    this.begin(presentation, request);
    return this.sendWhole(response, presentation.access, request);
  }

  /** Sends the result of an operation. A list that ends with its first page is sent as a whole. */
  async sendResult(
    result: OperationResult,
    presentation: Presentation,
    request: AnsweredRequest,
  ): Promise<FastifyReply> {
    const { callback, selection, access, place } = presentation;
    const { reply, slot } = request;
    this.begin(presentation, request, result.status);
    const send = (body: string, rows: number) => {
      const response = place ? { body, rows, etag: etag(body) } : { body, rows };
      place?.keep(response);
      return this.sendWhole(response, access, request);
    };
    if ('record' in result) return send(writeRecord(selection, result.record, callback), 1);
    const list = listHeaders(request.operation, reply);
    // Reads the first page here, so that its failure still becomes a status.
    const pages = result.pages[Symbol.asyncIterator]() as AsyncIterator<Page<Row>, undefined>;
    const { value: first } = await pages.next();
    list.set(first);
    // contract/errors#age
    if (first?.ageSeconds !== undefined) void reply.header('age', first.ageSeconds);
    if (!first || first.next === null || list.isPage) {
      await pages.return?.();
      const rows = first?.items ?? [];
      return send(writeWholeList(selection, rows, callback), rows.length);
    }
    slot.becomeStream(access.holder);
    // Fastify reads the whole stream of a HEAD response, only to discard it.
    if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
    const inRequest = AsyncLocalStorage.snapshot();
    const rows = this.rowsOf(first, pages, inRequest, presentation, request);
    const text = writeList(selection, rows, callback);
    text.once('error', this.watchReading(request));
    return reply.send(text);
  }

  /**
   * Sends the provider's error, the only error with a body (contract/registrations#create-403-body);
   * with status 200 for JSONP (contract/registrations#create-403-jsonp).
   */
  sendProviderError(
    error: ProviderRefusal,
    { format, callback }: ResponseFormat,
    { operation, reply }: AnsweredRequest,
  ): FastifyReply {
    const code = 'refused-by-provider';
    const status = callback === null ? statusOfFailure[code] : 200;
    const reason = `the course provider refused: ${error.error_message}`;
    notesOf(reply).fault = faultOfFailure(code);
    this.errors.logRefused({ status, code, reason }, reply, operation.name);
    const selection = selectAllFields(providerErrorDefinition, format);
    const body = writeRecord(selection, error, callback);
    return reply.code(status).type(contentTypeOf(format, callback)).send(body);
  }

  /**
   * Sets status and type.
   *
   * @param ofResult the status in place of the operation's, except for a script: a browser runs it only after success
   */
  private begin(
    { format, callback }: ResponseFormat,
    { operation, reply }: AnsweredRequest,
    ofResult?: OperationResult['status'],
  ): void {
    const { status = 200 } = operation;
    const code = callback === null ? (ofResult ?? status) : status;
    void reply.code(code).type(contentTypeOf(format, callback));
  }

  /** Ends the response if its client takes it too slowly; not needed for what is sent at once. */
  private watchReading({ operation, reply }: AnsweredRequest): (error: unknown) => void {
    const logAborted = (error: unknown) => this.errors.logAborted(error, reply, operation.name);
    endSlowReading(reply.raw, this.minDataRate, () => logAborted(readTooSlowly()));
    return logAborted;
  }

  private sendWhole(
    response: WholeResponse,
    access: Access,
    request: AnsweredRequest,
  ): FastifyReply {
    const { operation, reply, slot } = request;
    const takesTime = Buffer.byteLength(response.body) > sentAtOnceBytes;
    if (operation.list) {
      if (takesTime) slot.becomeStream(access.holder);
      this.countRows(response.rows, access, request);
    }
    if (takesTime) this.watchReading(request);
    if (response.etag === undefined) return reply.send(response.body);
    void reply.header('etag', response.etag);
    // Without `Cache-Control: no-cache`, which fetch adds to such a request: it is for caches on the way.
    const { 'if-none-match': known } = reply.request.headers;
    const isKnown = fresh({ 'if-none-match': known }, { etag: response.etag });
    if (!isKnown) return reply.send(response.body);
    // contract/errors#status-304
    return reply.code(304).removeHeader('content-type').send();
  }

  /** Records a list that has ended, complete or not, as an export if it was long. */
  private countRows(rows: number, { scope }: Access, { operation }: AnsweredRequest): void {
    if (rows > auditExportRows) this.exports.record(rows, operation.name, scope);
  }

  /**
   * Reads the pages of a list while the response is being sent, as long as the access is valid. Each page
   * is requested in the context of the request with a deadline of its own, so that the client of a long list
   * may be slow. At its end, complete or not, the list is reported if it was long.
   *
   * @param inRequest keeps the request's trace: the stream asks for pages from its own asynchronous context
   * @returns the rows of each page
   */
  private async *rowsOf(
    first: Page<Row>,
    rest: AsyncIterator<Page<Row>, undefined>,
    inRequest: ReturnType<typeof AsyncLocalStorage.snapshot>,
    { presented, access }: Presentation,
    request: AnsweredRequest,
  ): AsyncGenerator<readonly Row[]> {
    const readNext = async () => {
      await this.access.requireValid(presented);
      return rest.next();
    };
    let count = 0;
    try {
      for (let page: Page<Row> | undefined = first; page;) {
        count += page.items.length;
        // Others get a turn: in the standalone form the context has just prepared the page in this one.
        await nextTurn();
        yield page.items;
        const context = { ...request.origin, deadline: clock.now() + pageTimeoutMs };
        const step = await inRequest(() => runInRequestContext(context, readNext));
        page = step.value;
      }
    } finally {
      inRequest(() => this.countRows(count, access, request));
      await inRequest(() => rest.return?.());
    }
  }
}

const contentTypeOf = (format: ResponseFormat['format'], callback: string | null): string =>
  callback === null ? contentTypes[format] : jsonpContentType;
