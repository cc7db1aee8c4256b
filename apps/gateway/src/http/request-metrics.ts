import { contentTypes, jsonpContentType } from '@registrar/formats';
import type { Operation } from '../operations/operation.ts';
import { requestClassOf } from '../responses/request-class.ts';
import { faultOf } from '../responses/request-fault.ts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Histogram, Registry } from 'prom-client';

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
        fault: faultOf(reply),
      },
      reply.elapsedTime / 1_000,
    );
  }
}
