import { Failure } from '@registrar/contracts';
import type { FastifyInstance } from 'fastify';
import type { Method, Operation } from '../operations/operation.ts';
import { GatewayError } from '../responses/gateway-error.ts';
import type { ErrorResponder } from './error-responder.ts';

/** The methods that are refused with a reason that names those of the path. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Refuses the methods that a path does not have, as an unknown path is refused, and names those that
 * it has in the log and in `Allow` (contract/errors#unknown-method). HEAD has no effect on anything,
 * so it is refused where GET writes (contract/errors#head).
 *
 * @param ofItem the operations of the path with an id that this path matches too (contract/formats#named-as-operation)
 */
export function refuseOtherMethods(
  server: FastifyInstance,
  errors: ErrorResponder,
  byMethod: ReadonlyMap<Method, Operation>,
  url: string,
  ofItem: ReadonlyMap<Method, Operation>,
): void {
  const operations = new Map([...ofItem, ...byMethod]);
  const get = operations.get('GET');
  const allowed: string[] = [...operations.keys(), ...(get && !get.writes ? ['HEAD'] : [])];
  const allow = allowed.join(', ');
  server.route({
    method: knownMethods.filter((method) => !allowed.includes(method)),
    url,
    exposeHeadRoute: false,
    // Before the body is read.
    onRequest: (request, reply) => {
      void reply.header('allow', allow);
      const reason = `${request.method} is no method of this path: it has ${allow}`;
      const isHeadOfWrite = request.method === 'HEAD' && get !== undefined;
      const error = isHeadOfWrite
        ? new GatewayError(405, reason)
        : new Failure('not-found', reason);
      errors.respond(error, reply, null);
    },
    handler: () => undefined,
  });
}
