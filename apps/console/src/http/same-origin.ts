import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';

/** A request that another site may have caused. */
class ForeignRequest extends Failure {
  constructor() {
    super('unauthenticated', 'the request does not come from a page of the console');
  }
}

/** A request whose body is no JSON, such as that of a form of another site. */
export class NotJson extends Failure {
  constructor() {
    super('invalid', 'the Content-Type is not application/json');
  }
}

/**
 * Requires that a page of the console sends a request: browsers say so in `Sec-Fetch-Site`, and older ones name the
 * page's origin with everything but GET. What changes something is POSTed as JSON, which no form of another site can send.
 *
 * @throws {ForeignRequest}
 * @throws {NotJson}
 */
export function requireSameOrigin({ headers, method }: FastifyRequest, origin: string): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (!isOwn) throw new ForeignRequest();
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (method !== 'GET' && type !== 'application/json') throw new NotJson();
}
