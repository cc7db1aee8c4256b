import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';

/** A request that another site may have caused. */
class ForeignRequest extends Failure {
  constructor() {
    super('unauthenticated', 'the request does not come from a page of the console');
  }
}

/** A request whose body is of another type than its path takes, such as that of a form of another site. */
export class UnexpectedType extends Failure {
  constructor(expected: BodyType) {
    super('invalid', `the Content-Type is not ${expected}`);
  }
}

/** The types of bodies, none of which a form of another site can send. */
export type BodyType = 'application/json' | 'application/zip';

/**
 * Requires that a page of the console sends a request: browsers say so in `Sec-Fetch-Site`, and older ones name the
 * page's origin with everything but GET. What changes something is POSTed with a type that no form of another site can send.
 *
 * @param expected the type of the body
 * @throws {ForeignRequest}
 * @throws {UnexpectedType}
 */
export function requireSameOrigin(
  { headers, method }: FastifyRequest,
  origin: string,
  expected: BodyType,
): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  if (!isOwn) throw new ForeignRequest();
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (method !== 'GET' && type !== expected) throw new UnexpectedType(expected);
}
