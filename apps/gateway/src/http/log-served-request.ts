import { clientAddress } from '@registrar/bootstrap';
import type { Logger } from '@registrar/platform';
import type { FastifyReply } from 'fastify';
import type { Operation } from '../operations/operation.ts';
import { notedAccount } from './request-account.ts';

/**
 * Logs a request that was carried out, so that it is found by its id (docs/operator.md#requests). A refused request has
 * a line of its own.
 */
export function logServedRequest(logger: Logger, operation: Operation, reply: FastifyReply): void {
  const { statusCode: status, request } = reply;
  if (status >= 400) return;
  const line = {
    request_id: request.id,
    client_address: clientAddress(request.ip),
    operation: operation.name,
    account: notedAccount(reply),
    status,
  };
  logger.info(line, 'request served');
}
