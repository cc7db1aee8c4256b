import type { FailureCode } from '@registrar/contracts';
import { contentTypes, jsonpContentType } from '@registrar/formats';
import { type Operation, permissionOf, writes } from '../operations/operation.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Histogram, Registry } from 'prom-client';

/**
 * The classes of requests that have service level objectives of their own. `crawl`: reads that refresh from the course
 * provider first.
 */
type RequestClass = 'read' | 'crawl' | 'write' | 'launch';

const crawls = new WeakSet<FastifyReply>();

/** Remembers whether a request refreshes from the course provider first, for its metrics. */
export function noteCrawl(operation: Operation, given: RequestParameters, reply: FastifyReply) {
  if (operation.crawls?.(given)) crawls.add(reply);
}

/** The class of a request to an operation. */
function requestClassOf(operation: Operation, reply: FastifyReply): RequestClass {
  if (permissionOf(operation) === 'launch') return 'launch';
  if (writes(operation)) return 'write';
  return crawls.has(reply) ? 'crawl' : 'read';
}

/**
 * Who caused an error response: the contract gives both a client's mistake and a defect 500, and both an outage of the
 * course provider and one of our own 503.
 */
type RequestFault = 'client' | 'provider' | 'server';

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

const faults = new WeakMap<FastifyReply, RequestFault>();

/** Remembers who caused the error response of a request, for its metrics. */
export const noteFault = (reply: FastifyReply, fault: RequestFault): void =>
  void faults.set(reply, fault);

const bucketsSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** The label `format` by content type; `none` for error responses, which have no content type. */
const formatOfType = new Map<unknown, string>([
  ...Object.entries(contentTypes).map(([format, type]) => [type, format] as const),
  [jsonpContentType, 'jsonp'],
]);

/** Measures the duration of requests. */
@Injectable()
export class RequestMetrics {
  readonly #seconds: Histogram<'operation' | 'class' | 'format' | 'status' | 'fault'>;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'registrar_http_request_seconds',
      help: 'Time from the head of a request to the last byte of its response.',
      labelNames: ['operation', 'class', 'format', 'status', 'fault'],
      buckets: bucketsSeconds,
      registers: [registry],
    });
  }

  observeResponse(operation: Operation, reply: FastifyReply): void {
    const format = formatOfType.get(reply.getHeader('content-type')) ?? 'none';
    this.#seconds.observe(
      {
        operation: operation.name,
        class: requestClassOf(operation, reply),
        format,
        status: reply.statusCode,
        fault: faults.get(reply) ?? 'none',
      },
      reply.elapsedTime / 1_000,
    );
  }
}
