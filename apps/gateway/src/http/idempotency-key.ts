import { hash } from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { KeyUse, RequestContext } from '@registrar/platform';
import type { FastifyReply } from 'fastify';
import { accessParameters, type PresentedAccess } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';
import { generalParameters, type RequestParameters } from '../parameters/request-parameters.ts';

const hashOf = (...parts: unknown[]) => hash('sha256', JSON.stringify(parts), 'base64url');

/**
 * The key by which contexts recognize a repeated request: a hash of the client's `Idempotency-Key`,
 * its credentials and the operation (contract/errors#idempotency-key-scope). The credentials make the hash
 * unguessable even for a simple key.
 *
 * @throws {Failure} `invalid` for a header that is not 1 to 255 visible ASCII characters
 */
export function idempotencyKey(
  header: string | string[],
  operation: Operation,
  presented: PresentedAccess,
): string {
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new Failure('invalid', 'the idempotency key is malformed');
  }
  const { credentials, providerPair } = presented;
  return hashOf(operation.name, credentials, providerPair, header);
}

/** A request with an idempotency key. */
interface KeyedRequest {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly reply: FastifyReply;
}

/** Parameters that have no influence on the effect of a request. */
const ignoredParameters: ReadonlySet<string> = new Set([...accessParameters, ...generalParameters]);

/**
 * The request context of an operation with a key: contexts refuse the key with other parameters, and the response says
 * when it is that of an earlier request (contract/errors#idempotency-replayed).
 *
 * @throws {Failure} as {@link idempotencyKey} does
 */
export function keyContext(
  header: string | string[],
  presented: PresentedAccess,
  { operation, path, reply }: KeyedRequest,
  given: RequestParameters,
): Pick<RequestContext, 'idempotencyKey' | 'keyUse' | 'onReplay'> {
  const key = idempotencyKey(header, operation, presented);
  if (!operation.writes) return { idempotencyKey: key };
  return {
    idempotencyKey: key,
    keyUse: keyUseOf(key, path, given),
    onReplay: () => void reply.header('idempotency-replayed', 'true'),
  };
}

/** The hashes include the key, which nobody can guess, and so reveal no parameter. */
function keyUseOf(
  key: string,
  path: Readonly<Record<string, string>>,
  given: RequestParameters,
): KeyUse {
  const parameters = [...given]
    .filter(([name]) => !ignoredParameters.has(name))
    .map(([name, values]) => [name, ...values.toSorted()].join('\0'))
    .toSorted();
  return { key: hashOf('used', key), parameters: hashOf(key, path, parameters) };
}
