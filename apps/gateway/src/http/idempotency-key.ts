import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import type { PresentedAccess } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * The key by which contexts recognize a repeated request: a hash of the client's `Idempotency-Key`,
 * its credentials and the operation (contract/errors#idempotency-key-scope), or a random key
 * without the header. The credentials make the hash unguessable even for a simple key.
 *
 * @throws {Failure} `invalid` for a header that is not 1 to 255 visible ASCII characters
 */
export function idempotencyKey(
  request: FastifyRequest,
  operation: Operation,
  presented: PresentedAccess,
): string {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return randomUUID();
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Failure('invalid', 'the idempotency key is malformed');
  }
  const { credentials, providerPair } = presented;
  const parts = JSON.stringify([operation.name, credentials, providerPair, header]);
  return createHash('sha256').update(parts).digest('base64url');
}
