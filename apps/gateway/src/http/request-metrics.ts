import { contentTypes, jsonpContentType } from '#libs/formats';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Histogram, Registry } from 'prom-client';

/** Seconds. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** The names of the types of answers; a refusal has none. */
const formats = new Map<unknown, string>([
  ...Object.entries(contentTypes).map(([format, type]) => [type, format] as const),
  [jsonpContentType, 'jsonp'],
]);

/** Times the requests that clients make, to the last byte of the answer. */
@Injectable()
export class RequestMetrics {
  readonly #seconds: Histogram<'operation' | 'format' | 'status'>;

  constructor(registry: Registry) {
    this.#seconds = new Histogram({
      name: 'registrar_http_request_seconds',
      help: 'Time from the head of a request to the last byte of its answer.',
      labelNames: ['operation', 'format', 'status'],
      buckets,
      registers: [registry],
    });
  }

  answered(operation: string, reply: FastifyReply): void {
    const format = formats.get(reply.getHeader('content-type')) ?? 'none';
    const labels = { operation, format, status: reply.statusCode };
    this.#seconds.observe(labels, reply.elapsedTime / 1_000);
  }
}
