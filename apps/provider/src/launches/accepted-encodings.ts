import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { compressedEncodings, type ContentEncoding } from '../packages/content-encoding.ts';

/**
 * Returns the content codings in which a file may be sent, the smallest first (RFC 9110, section 12.5.3). The last is
 * always `identity`, which the RFC allows for a client that refuses all.
 */
export function acceptedEncodings({ headers }: Pick<FastifyRequest, 'headers'>): ContentEncoding[] {
  const accepted = new Negotiator({ headers }).encodings([...compressedEncodings]);
  return [...compressedEncodings.filter((each) => accepted.includes(each)), 'identity'];
}
