import type { FastifyReply } from 'fastify';
import etag from 'etag';
import fresh from 'fresh';

/** A response that is not sent page by page. */
export interface WholeResponse {
  readonly body: string;
  /** The number of records that it shows. */
  readonly rows: number;
  /** The entity tag of responses that a client may ask for again (contract/errors#etag). */
  readonly etag?: string;
}

export const withEntityTag = (body: string, rows: number): WholeResponse => ({
  body,
  rows,
  etag: etag(body),
});

/** Sends a response, or 304 if the client has it (contract/errors#status-304). */
export function sendConditionally(body: string, etag: string, reply: FastifyReply): FastifyReply {
  void reply.header('etag', etag);
  // Without `Cache-Control: no-cache`, which fetch adds to such a request: it is for caches on the way.
  const { 'if-none-match': known } = reply.request.headers;
  if (!fresh({ 'if-none-match': known }, { etag })) return reply.send(body);
  return reply.code(304).removeHeader('content-type').send();
}
