import type { FastifyReply } from 'fastify';
import { type Operation, permissionOf, writes } from '../operations/operation.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';

/**
 * The classes of requests that have service level objectives of their own. `crawl`: reads that refresh from the course
 * provider first.
 */
export type RequestClass = 'read' | 'crawl' | 'write' | 'launch';

const crawls = new WeakSet<FastifyReply>();

/** Remembers whether a request refreshes from the course provider first, for its metrics. */
export function noteCrawl(operation: Operation, given: RequestParameters, reply: FastifyReply) {
  if (operation.crawls?.(given)) crawls.add(reply);
}

/** The class of a request to an operation. */
export function requestClassOf(operation: Operation, reply: FastifyReply): RequestClass {
  if (permissionOf(operation) === 'launch') return 'launch';
  if (writes(operation)) return 'write';
  return crawls.has(reply) ? 'crawl' : 'read';
}
