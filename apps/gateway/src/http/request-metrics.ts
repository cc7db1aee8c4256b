import { contentTypes, jsonpContentType } from '@registrar/formats';
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
  readonly #seconds: Histogram<'operation' | 'format' | 'status' | 'fault'>;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'registrar_http_request_seconds',
      help: 'Time from the head of a request to the last byte of its response.',
      labelNames: ['operation', 'format', 'status', 'fault'],
      buckets: bucketsSeconds,
      registers: [registry],
    });
  }

  observeResponse(operation: string, reply: FastifyReply): void {
    const format = formatOfType.get(reply.getHeader('content-type')) ?? 'none';
    const labels = { operation, format, status: reply.statusCode, fault: faultOf(reply) };
    this.#seconds.observe(labels, reply.elapsedTime / 1_000);
  }
}
