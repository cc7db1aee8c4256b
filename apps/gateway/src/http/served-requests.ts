import { clientAddress } from '@registrar/bootstrap';
import type { FailureCode } from '@registrar/contracts';
import { contentTypes, jsonpContentType } from '@registrar/formats';
import { appLogger, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Histogram, Registry } from 'prom-client';
import type { Operation } from '../operations/operation.ts';

/**
 * The classes of requests that have service level objectives of their own. `crawl`: reads that refresh from the course
 * provider first. `upload`: creates and checks of courses, which take as long as their package is large.
 */
type RequestClass = 'read' | 'crawl' | 'write' | 'upload' | 'launch';

/**
 * Who caused an error response: the contract gives both a client's mistake and a defect 500, and both an outage of the
 * course provider and one of our own 503.
 */
type RequestFault = 'client' | 'provider' | 'server';

/** What is known of a request, for its line in the log and for the metrics. */
interface RequestNotes {
  /** Whose access it has, once that is admitted. */
  account?: string;
  /** Whether it refreshes from the course provider first. */
  crawls?: boolean;
  /** Who caused its error response. */
  fault?: RequestFault;
}

const allNotes = new WeakMap<FastifyReply, RequestNotes>();

/** What is known of a request, which its caller may add to. */
export function notesOf(reply: FastifyReply): RequestNotes {
  let notes = allNotes.get(reply);
  if (!notes) {
    notes = {};
    allNotes.set(reply, notes);
  }
  return notes;
}

const serverFaults: ReadonlySet<FailureCode> = new Set([
  'internal',
  'unavailable',
  'overloaded',
  'expired',
]);

/**
 * Who caused a failure; without a code, it is an error of the client that only the gateway raises.
 *
 * @param ofProvider {@link Failure.ofProvider}
 */
export function faultOfFailure(code: FailureCode | null, ofProvider = false): RequestFault {
  if (code === null || !serverFaults.has(code)) return 'client';
  return ofProvider ? 'provider' : 'server';
}

/** The class of a request to an operation. */
function requestClassOf(
  { acceptsPackage, permission, writes }: Operation,
  { crawls }: RequestNotes,
): RequestClass {
  if (permission === 'launch') return 'launch';
  if (acceptsPackage) return 'upload';
  if (writes) return 'write';
  return crawls ? 'crawl' : 'read';
}

const bucketsSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** The label `format` by content type; `none` for error responses, which have no content type. */
const formatOfType = new Map<unknown, string>([
  ...Object.entries(contentTypes).map(([format, type]) => [type, format] as const),
  [jsonpContentType, 'jsonp'],
]);

/** Records the requests that have been answered, in the metrics and in the log. */
@Injectable()
export class ServedRequests {
  readonly #seconds: Histogram<'operation' | 'class' | 'format' | 'status' | 'fault'>;

  constructor(
    registry: Registry,
    @Inject(appLogger) private readonly logger: Logger,
  ) {
    this.#seconds = new Histogram({
      name: 'registrar_http_request_seconds',
      help: 'Time from the head of a request to the last byte of its response.',
      labelNames: ['operation', 'class', 'format', 'status', 'fault'],
      buckets: bucketsSeconds,
      registers: [registry],
    });
  }

  /**
   * Records the duration of a request, and logs one that was carried out, so that it is found by its id
   * (docs/operator.md#requests). A refused request has a line of its own.
   */
  record(operation: Operation, reply: FastifyReply): void {
    const { statusCode: status, request } = reply;
    const notes = notesOf(reply);
    this.#seconds.observe(
      {
        operation: operation.name,
        class: requestClassOf(operation, notes),
        format: formatOfType.get(reply.getHeader('content-type')) ?? 'none',
        status,
        fault: notes.fault ?? 'none',
      },
      reply.elapsedTime / 1_000,
    );
    if (status >= 400) return;
    const line = {
      request_id: request.id,
      client_address: clientAddress(request.ip),
      operation: operation.name,
      account: notes.account,
      status,
    };
    this.logger.info(line, 'request served');
  }
}
