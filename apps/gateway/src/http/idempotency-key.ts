import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '#libs/contracts';
import type { FastifyRequest } from 'fastify';
import type { PresentedAccess } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * The key of an operation, by which the contexts know that they have done it before: the client's
 * `Idempotency-Key`, which counts for its access and that operation alone, or else a new one. What
 * presents the access is secret, and so is the key therefore, however simple the client's is.
 *
 * @throws {Failure} `invalid` for a header that is not 1 to 255 visible characters
 */
export function idempotencyKey(
  request: FastifyRequest,
  operation: Operation,
  presented: PresentedAccess,
): string {
  const chosen = request.headers['idempotency-key'];
  if (chosen === undefined) return randomUUID();
  if (typeof chosen !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(chosen)) {
    throw new Failure('invalid', 'the idempotency key is malformed');
  }
  const { credentials, beside } = presented;
  const parts = JSON.stringify([operation.name, credentials, beside, chosen]);
  return createHash('sha256').update(parts).digest('base64url');
}
