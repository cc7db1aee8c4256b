import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';

/** Begins a response with status 200 whose parts reach the client as they are written. */
export function openStream(reply: FastifyReply, contentType: string): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': contentType,
    'cache-control': 'no-store',
    // A stopping server would wait for a connection that is idle after its stream.
    connection: 'close',
    // nginx would collect the parts.
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  return raw;
}
